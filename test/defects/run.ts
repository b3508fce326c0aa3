/**
 * `npm run defects -- list`, `serve ID`, `client ID URL` and `scores`: lists the corpus, serves a server or an
 * authorization server of it, runs a client of it once, and writes docs/reference/suite-scores.md.
 */
import { once } from 'node:events'
import type { Defect as ClientRow } from '../client-testing/client/defects.js'
import { runClient } from '../client-testing/client/work.js'
import type { Rows } from './authorization-server.mjs'
import { readCorpus, type Defect, type Subject } from './corpus.js'
import type { Rewrite } from './rewriting-server.js'

interface Row { row: string, value: unknown }

const SUBJECTS = ['servers', 'clients', 'authorization-servers'] as const
const [action = 'list', id = '', ...more] = process.argv.slice(2)
const find = (...subjects: readonly Subject[]): Defect | undefined => {
  const found = subjects.flatMap((subject) => readCorpus(subject).defects).find((defect) => defect.id === id)
  if (!found && id !== 'correct') throw new Error(`There is no ${id} among the ${subjects.join(' or ')}. npm run defects -- list shows all.`)
  return found
}

const serve = async (): Promise<void> => {
  const defect = find('servers', 'authorization-servers')
  const { row, value } = (defect?.change ?? {}) as Partial<Row>
  const started = row === undefined
    ? await (await import('./rewriting-server.js')).startRewritingServer(defect?.change as Rewrite | undefined)
    : await (await import('./authorization-server.mjs')).startAuthorizationServer({ [row]: value } as Partial<Rows>)
  console.log(`${defect?.differs ?? 'It is correct.'}\n${started.url}`)
  await once(process, 'SIGINT')
  await started.close()
}

/** The official suite names the revision before its address; every tool of its servers is called. */
const client = async (): Promise<void> => {
  const [url = process.env['MCP_URL'] ?? '', revision] = more.reverse()
  const defect = find('clients')
  const { exitCode, stderr } = await runClient({
    url,
    token: process.env['MCP_TOKEN'] ?? '',
    era: (defect?.clause.revision ?? revision) === '2026-07-28' ? 'modern' : 'legacy',
    capabilities: { sampling: {}, elicitation: {}, roots: {} },
    defects: defect ? [(defect.change as Row).row as ClientRow] : [],
    ...revision !== undefined && { anyTools: true, timeoutMs: 8000 }
  })
  if (stderr !== '') console.error(stderr)
  process.exitCode = exitCode ?? 1
}

const list = async (): Promise<void> => {
  for (const { id: own, clause, differs } of SUBJECTS.flatMap((subject) => readCorpus(subject).defects)) {
    console.log(`${own.padEnd(38)} ${clause.level.padEnd(9)} ${differs}`)
  }
}

const scores = async (): Promise<void> => (await import('./scores.js')).writeScores()
const run = { list, serve, client, scores }[action]
if (!run) throw new Error(`There is no ${action}: say list, serve ID, client ID URL or scores.`)
await run()
