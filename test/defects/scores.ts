/** Grades the graders by the corpus, and writes docs/reference/suite-scores.md. */
import { execFile, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../scripts/services/process.mjs'
import { askServer } from '../../src/cli/testing/conformance/ask-server.js'
import { fetchSuite, listScenarios, runScenarios, SUITE, SUITE_REVISIONS, type Scenario } from '../../src/cli/testing/conformance/official-suite.js'
import { lackOf } from '../../src/cli/testing/conformance/run-suite.js'
import { auditAuth } from '../../src/client-testing/audit-auth/audit.js'
import { grade } from '../../src/client-testing/grade/grade.js'
import { PROFILES } from '../../src/client-testing/profiles/all-profiles.js'
import { startTestServer, createTestToken } from '../../src/client-testing/test-server.js'
import type { Defect as ClientRow } from '../client-testing/client/defects.js'
import { runClient } from '../client-testing/client/work.js'
import { startAuthorizationServer, type Rows } from './authorization-server.mjs'
import { readCorpus, type Defect } from './corpus.js'
import { startRewritingServer, type Rewrite } from './rewriting-server.js'
import { scoresPage, type Score } from './scores-page.js'

interface Row { row: string, value: unknown }

const AT_ONCE = 2
const closing: Array<() => unknown> = []

/** What a suite complains about, with the scenario. */
const complaintsOf = (scenarios: readonly Scenario[]): string[] =>
  scenarios.flatMap(({ name, complaints }) => complaints.map((complaint) => `${name}: ${complaint.split(':')[0]}`))

const complianceOf = (program: string, url: string, env: NodeJS.ProcessEnv): Promise<string[]> => new Promise((resolve, reject) => {
  execFile('node', [program, 'test', url, '--format', 'json'], { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => {
    try {
      const { tests } = JSON.parse(stdout) as { tests: Array<{ id: string, passed: boolean }> }
      resolve(tests.filter(({ passed }) => !passed).map(({ id }) => id))
    } catch {
      // It ends so where the handshake fails.
      if (error) resolve(['it stops'])
      else reject(new Error(stdout))
    }
  })
})

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

const byRevision = async <Result>(work: (revision: string) => Promise<Result>): Promise<Map<string, Result>> =>
  new Map(await Promise.all(SUITE_REVISIONS.map(async (revision) => [revision, await work(revision)] as const)))

const scoreServers = async (environment: NodeJS.ProcessEnv, program: string | undefined): Promise<Score[]> => {
  // Of its extensions it runs what a revision reports, and skills where they are named.
  const listed = await byRevision(async (revision) =>
    (await listScenarios(environment, revision)).filter(({ name }) => !name.startsWith('sep-2640-')))
  const ask = async (change: Rewrite | undefined, revision: string): Promise<Record<string, string[]>> => {
    const server = await startRewritingServer(change)
    try {
      const scenarios = await runScenarios(environment, server.url, listed.get(revision) ?? [], true)
      const offers = await askServer(new URL(server.url), undefined).catch(() => undefined)
      return {
        'official suite': complaintsOf(scenarios),
        // It runs the same scenarios, and none that lacks something.
        conformance: offers ? complaintsOf(scenarios.filter(({ name }) => lackOf(name, revision, offers) === undefined)) : ['it does not answer'],
        ...program !== undefined && revision === '2025-11-25' && { 'mcp-compliance': await complianceOf(program, server.url, environment) }
      }
    } finally {
      await server.close()
    }
  }
  const correct = await byRevision((revision) => ask(undefined, revision))
  // The suite runs its scenarios of an extension only where they are named.
  const core = readCorpus<Rewrite>('servers').defects.filter(({ clause }) => !clause.page.startsWith('seps/2640'))
  return await inTurns(core, async (defect) => {
    const complaints = await ask(defect.change, defect.clause.revision)
    return {
      defect,
      caught: Object.fromEntries(Object.entries(complaints).map(([grader, own]) =>
        [grader, own.find((complaint) => !correct.get(defect.clause.revision)?.[grader]?.includes(complaint)) ?? false]))
    }
  })
}

/** The scenarios in which the official suite is the server. No client of the corpus is about authorization or skills. */
const scoreClientsBySuite = async (environment: NodeJS.ProcessEnv): Promise<(defect: Defect) => Promise<string | false>> => {
  const scenarios = await byRevision(async (revision) => {
    const { stdout } = await promisify(execFile)('conformance', ['list', '--client', '--spec-version', revision], { env: environment })
    return [...stdout.matchAll(/^ +- (?!auth|sep-2640)(\S+) \[/gm)].map(([, name = '']) => name)
  })
  const program = fileURLToPath(new URL('./run.js', import.meta.url))
  const complaints = async (id: string, revision: string, scenario: string): Promise<string[]> => {
    const folder = await mkdtemp(join(tmpdir(), 'client-'))
    try {
      await promisify(execFile)('conformance', ['client', '--command', `node ${program} client ${id} ${revision}`, '--scenario', scenario,
        '--spec-version', revision, '--force', '--timeout', '15000', '--output-dir', folder], { env: environment }).catch(() => {})
      const file = (await readdir(folder, { recursive: true })).find((name) => name.endsWith('checks.json'))
      const checks = file === undefined ? [] : JSON.parse(await readFile(join(folder, file), 'utf8')) as Array<{ id: string, name: string, status: string }>
      return checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING').map((check) => `${scenario}: ${check.name}`)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  const every = async (id: string, revision: string): Promise<string[]> =>
    (await inTurns(scenarios.get(revision) ?? [], (scenario) => complaints(id, revision, scenario))).flat()
  const correct = await byRevision((revision) => every('correct', revision))
  return async ({ id, clause: { revision } }) =>
    (await every(id, revision)).find((complaint) => !correct.get(revision)?.includes(complaint)) ?? false
}

const scoreClients = async (environment: NodeJS.ProcessEnv): Promise<Score[]> => {
  const bySuite = await scoreClientsBySuite(environment)
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
    defect, caught: { 'official suite': await bySuite(defect), observe: await failed(defect, []), grade: await failed(defect, defect.occasion ?? []) }
  }))
  await server.close()
  return scores
}

/** The two scenarios of the official suite for authorization servers: whether they pass. */
const suiteAccepts = async (url: string, environment: NodeJS.ProcessEnv): Promise<boolean> => {
  const port = await freePort()
  const issuer = new URL('/as', url).href
  const registered = await fetch(`${issuer}/register`, { method: 'POST', body: JSON.stringify({ redirect_uris: [`http://127.0.0.1:${port}/callback`] }) })
  const { client_id: id } = await registered.json() as { client_id: string }
  const words = ['authorization', '--url', issuer, '--client-id', id, '-p', String(port)]
  const suite = spawn('conformance', words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 })
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

/** Runs all graders and writes the page. mcp-compliance is among them where MCP_COMPLIANCE names its `dist/index.js`. */
export const writeScores = async (): Promise<void> => {
  const compiled = await mkdtemp(join(tmpdir(), 'compiled-'))
  closing.push(() => rm(compiled, { recursive: true, force: true }))
  const environment = { ...await fetchSuite(process.env), NODE_COMPILE_CACHE: compiled }
  const program = process.env['MCP_COMPLIANCE']
  const { stdout: version = '' } = program === undefined ? {} : await promisify(execFile)('node', [program, '--version'], { env: environment })
  const page = scoresPage({
    suite: SUITE,
    compliance: version === '' ? undefined : `version ${version.trim()}`,
    servers: await scoreServers(environment, program),
    clients: await scoreClients(environment),
    'authorization-servers': await scoreAuthorization(environment)
  })
  writeFileSync(new URL('../../../docs/reference/suite-scores.md', import.meta.url), page)
  for (const close of closing) await close()
}
