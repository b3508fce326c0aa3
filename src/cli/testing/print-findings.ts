/** Prints the protocol errors of clients, as text or JSON. */
import type { RuleFinding, ObservedClient } from '../../engine/observer/client-registry.js'
import { nameOf } from '../../client-testing/observation-checks.js'
import { stripControlChars, print, type Output } from '../print/print.js'

export function printFinding (output: Output, { findings: _, ...client }: ObservedClient, finding: RuleFinding): void {
  const { level, rule, sentence, spec, detail } = finding
  const text = `${level} ${rule} – ${nameOf(client, '/')}: ${sentence} [${detail}] ${clauseOf(spec)}`
  print(output, { client: { name: client.name, version: client.version }, finding }, stripControlChars(text))
}

export async function printReport (output: Output, clients: readonly ObservedClient[]): Promise<void> {
  const rows = clients.flatMap((client): Array<{ client: ObservedClient, finding?: RuleFinding }> =>
    client.findings.length === 0 ? [{ client }] : client.findings.map((finding) => ({ client, finding })))
  const { table } = await import('../print/table.js')
  print(output, { clients }, clients.length === 0
    ? 'No client has been seen.'
    : table(rows, [
      ['CLIENT', ({ client }) => nameOf(client, '/')],
      ['REVISIONS', ({ client }) => client.revisions.join(' ') || undefined],
      ['EXCHANGES', ({ client }) => client.exchanges],
      ['LEVEL', ({ finding }) => finding?.level],
      ['FINDING', ({ finding }) => finding?.rule ?? 'nothing wrong'],
      ['TIMES', ({ finding }) => finding?.count ?? 0],
      ['LAST', ({ finding }) => finding?.detail],
      ['CLAUSE', ({ finding }) => finding && clauseOf(finding.spec)]
    ]))
}

const clauseOf = ({ revision, page, anchor }: RuleFinding['spec']): string => `${revision} ${page}#${anchor}`
