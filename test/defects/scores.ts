/** Grades the graders by the corpus, and writes docs/reference/suite-scores.md. */
import { execFile, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { askServer } from '../../src/cli/testing/conformance/ask-server.js'
import { withoutUnexercised } from '../../src/cli/testing/conformance/fixture-needs.js'
import { runSuite, SUITE, type Scenario } from '../../src/cli/testing/conformance/official-suite.js'
import { auditAuth } from '../../src/client-testing/audit-auth/audit.js'
import { grade } from '../../src/client-testing/grade/grade.js'
import { PROFILES } from '../../src/client-testing/profiles/all-profiles.js'
import { startTestServer } from '../../src/client-testing/test-server.js'
import { createTestToken } from '../../src/client-testing/token.js'
import type { Defect as ClientRow } from '../client-testing/client/defects.js'
import { runClient } from '../client-testing/client/work.js'
import { quickNpx } from '../conformance/quick-npx.js'
import { startAuthorizationServer, type Rows } from './authorization-server.js'
import { readCorpus, type Defect } from './corpus.js'
import { startRewritingServer, type Rewrite } from './rewriting-server.js'
import { scoresPage, type Score } from './scores-page.js'

interface Row { row: string, value: unknown }

const AT_ONCE = 2
const closing: Array<() => unknown> = []

/** What a suite complains about, with the scenario. */
const complaintsOf = (scenarios: readonly Scenario[]): string[] => scenarios.filter(({ lacksFixture }) => !lacksFixture)
  .flatMap(({ name, complaints }) => complaints.map((complaint) => `${name}: ${complaint.split(':')[0]}`))

const inTurns = async <Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> => {
  const results: Result[] = []
  const waiting = [...items.entries()]
  const walk = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      results[next[0]] = await work(next[1])
      process.stderr.write('.')
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, walk))
  return results
}

const scoreServers = async (environment: NodeJS.ProcessEnv): Promise<Score[]> => {
  const ask = async (change: Rewrite | undefined, revision: string): Promise<{ suite: string[], own: string[] }> => {
    const server = await startRewritingServer(change)
    try {
      const scenarios = await runSuite(server.url, revision, environment)
      const offer = await askServer(new URL(server.url), undefined).catch(() => undefined)
      return { suite: complaintsOf(scenarios), own: offer ? complaintsOf(withoutUnexercised(scenarios, offer)) : ['it does not answer'] }
    } finally {
      await server.close()
    }
  }
  const revisions = ['2025-11-25', '2026-07-28']
  const correct = new Map(await Promise.all(revisions.map(async (revision) => [revision, await ask(undefined, revision)] as const)))
  // The suite runs its scenarios of an extension only where they are named.
  const core = readCorpus<Rewrite>('servers').defects.filter(({ clause }) => !clause.page.startsWith('seps/2640'))
  return await inTurns(core, async (defect) => {
    const { revision } = defect.clause
    const { suite, own } = await ask(defect.change, revision)
    const isNew = (complaint: string) => correct.get(revision)?.suite.includes(complaint) === false
    return { defect, caught: { 'official suite': suite.find(isNew) ?? false, conformance: own.find(isNew) ?? false } }
  })
}

const scoreClients = async (): Promise<Score[]> => {
  const token = createTestToken()
  const server = await startTestServer(token)
  const failed = async ({ clause, change }: Defect<Row>, profiles: readonly string[]): Promise<boolean> => {
    const checks = await grade({
      server,
      token,
      requireSuccess: false,
      pauseFactor: 0.05,
      profiles: PROFILES.filter(({ id }) => profiles.includes(id)),
      client: {
        run: (url) => runClient({
          url,
          token,
          era: clause.revision === '2026-07-28' ? 'modern' : 'legacy',
          capabilities: { sampling: {}, elicitation: {}, roots: {} },
          defects: [change.row as ClientRow]
        })
      }
    })
    return checks.some(({ status }) => status === 'failed')
  }
  const scores = await inTurns(readCorpus<Row>('clients').defects, async (defect) => ({
    // The rules of observe, on a server that behaves; grade watches them too, and misbehaves.
    defect, caught: { observe: await failed(defect, []), grade: await failed(defect, defect.occasion ?? []) }
  }))
  await server.close()
  return scores
}

const freePort = async (): Promise<number> => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    server.close(() => resolve(port))
  })
})

/** The two scenarios of the official suite for authorization servers: whether they pass. */
const suiteAccepts = async (url: string, environment: NodeJS.ProcessEnv): Promise<boolean> => {
  const port = await freePort()
  const issuer = new URL('/as', url).href
  const registered = await fetch(`${issuer}/register`, { method: 'POST', body: JSON.stringify({ redirect_uris: [`http://127.0.0.1:${port}/callback`] }) })
  const { client_id: id } = await registered.json() as { client_id: string }
  const words = ['-y', '--', 'conformance', 'authorization', '--url', issuer, '--client-id', id, '-p', String(port)]
  const suite = spawn('npx', words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 })
  let printed = ''
  let address: string | undefined
  for (const stream of [suite.stdout, suite.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      printed += `${line}\n`
      address ??= /https?:\/\/\S+\/authorize\?\S+/.exec(line)?.[0]
      // It prints the address before it listens.
      if (line.startsWith('Callback server started') && address !== undefined) fetch(address).then((reply) => reply.text(), () => {})
    })
  }
  const code = await new Promise((resolve) => { suite.once('close', resolve) })
  return code === 0 && !/✗|FAILURE|failed: [1-9]/.test(printed)
}

const scoreAuthorization = async (environment: NodeJS.ProcessEnv): Promise<Score[]> =>
  await inTurns(readCorpus<Row>('authorization-servers').defects.filter(({ expected }) => expected === 'violated'), async (defect) => {
    const server = await startAuthorizationServer({ [defect.change.row]: defect.change.value } as Partial<Rows>)
    const checks = await auditAuth({ resource: server.url, pause: async (ms) => { server.advance(ms) } })
    const isAccepted = await suiteAccepts(server.url, environment)
    await server.close()
    return { defect, caught: { 'official suite': !isAccepted, 'audit-auth': checks.some(({ status }) => status === 'failed') } }
  })

/** Runs all graders and writes the page. */
export const writeScores = async (): Promise<void> => {
  const environment = quickNpx(closing)
  const { stdout: version } = await new Promise<{ stdout: string }>((resolve) => { execFile('node', ['--version'], (_error, stdout) => resolve({ stdout })) })
  const page = scoresPage({
    suite: SUITE,
    node: version.trim(),
    servers: await scoreServers(environment),
    clients: await scoreClients(),
    'authorization-servers': await scoreAuthorization(environment)
  })
  writeFileSync(new URL('../../../docs/reference/suite-scores.md', import.meta.url), page)
  for (const close of closing) await close()
}
