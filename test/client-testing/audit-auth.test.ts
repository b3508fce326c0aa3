// `audit-auth`: nothing against a correct authorization server, and each wrong one of the corpus is caught.
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { auditAuth } from '../../src/client-testing/audit-auth/audit.js'
import { startAuthorizationServer, type Rows } from '../defects/authorization-server.mjs'
import { readCorpus } from '../defects/corpus.js'
import { commandLine, noDatabase } from '../helpers/command-line.js'
import { some } from '../helpers/fuzzing.js'
import { authorize, decide } from '../helpers/oauth.js'
import { webServer } from '../helpers/web.js'
import { everyFormat } from './report-files.js'

const audit = async (t: Test, change: Partial<Rows> = {}) => {
  const server = await startAuthorizationServer(change)
  t.teardown(() => server.close())
  return await auditAuth({ resource: server.url, pause: async (ms) => { server.advance(ms) } })
}

t.test('a correct authorization server', async (t) => {
  const checks = await audit(t)
  t.strictSame(checks.filter(({ status }) => status !== 'passed').map(({ id, status, detail }) => [id, status, detail]), [])
})

t.test('without a person, what needs one is not exercised', async (t) => {
  const checks = await audit(t, { 'person.page': true })
  t.strictSame(checks.filter(({ status }) => status === 'failed'), [])
  t.match(checks.find(({ id }) => id === 'pkce-verifier'), { status: 'not-exercised', detail: /--non-interactive/ })
})

for (const { id, requirement, differs, expected, change } of some(readCorpus<{ row: keyof Rows, value: unknown }>('authorization-servers').defects)) {
  t.test(`${id}: ${differs}`, async (t) => {
    const checks = await audit(t, { [change.row]: change.value })
    const failed = checks.filter(({ status }) => status === 'failed')
    t.strictSame(failed.map((check) => check.id), expected === 'conforms' ? [] : [requirement])
  })
}

t.test('the command, its exit code and its reports', async (t) => {
  const server = await startAuthorizationServer({ 'token.query': true })
  t.teardown(() => server.close())
  const dir = t.testdir()
  const { words, read } = everyFormat(dir)
  const { run } = commandLine(t, { data: join(dir, 'data'), openBackend: noDatabase })
  t.match(await run(['audit-auth', server.url, '--non-interactive', ...words]), { code: 1, err: /of a MUST failed/ })
  t.match(read(t), { command: 'audit-auth', subject: server.url, summary: { failed: 1 } })
})

t.test('our own server, where a person has to sign in', async (t) => {
  const server = await webServer(t)
  const { port } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }))
  const browser = await server.signIn(server.wide.id)
  let refuse = (): void => {}
  const shown: string[] = []
  const checks = await auditAuth({
    resource: `http://localhost:${port}/oauth/mcp`,
    person: {
      show (url, what) {
        shown.push(what)
        authorize(browser, new URL(url).search.slice(1)).then(async ({ ticket, error }) =>
          error === null ? await fetch(await decide(browser, ticket)) : refuse()).catch(t.fail)
      },
      refused: () => new Promise((resolve) => { refuse = resolve })
    },
    pause: async () => { await server.db.query("update connection_tokens set used_at = used_at - interval '61 seconds'", []) }
  })
  t.strictSame(checks.filter(({ status }) => status !== 'passed').map(({ id, status, detail }) => [id, status, detail]), [])
  t.match(checks.find(({ id }) => id === 'refresh-replay')?.detail, /^Note: /)
  t.strictSame(shown.filter((what) => what === 'allow').length, 2, 'signing in is asked for twice')
})
