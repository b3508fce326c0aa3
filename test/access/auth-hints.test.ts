// Each way in which a credential goes wrong in the field, and the sentence that mends it.
// @no-services: texts of headers
/* eslint-disable no-template-curly-in-string -- what agents send literally when they did not fill it in */
import t from 'tap'
import { agents } from '../../src/agent-setup/registry/known-agents.js'
import { mint } from '../../src/access/credentials/secret.js'
import { build, modern } from '../helpers/build.js'

interface Refused { error: { data: { reason: string, hint: string } } }

const { app, key, log, credentials, people } = await build(t, { failedAuthPerMinute: '1000000' })

/** As it arrives: header values are bytes. */
const bytes = (text: string): string => Buffer.from(text).toString('latin1')

const hintFor = async (authorization: string | undefined, userAgent?: string) => {
  const reply = await modern<Refused>(app, undefined, 'tools/list', {}, { authorization, 'user-agent': userAgent })
  t.equal(reply.status, 401)
  t.match(
    reply.headers['www-authenticate'],
    /^Bearer realm="exploration-mcp"(?:, error="invalid_token")?$/,
    'no OAuth is offered: agents would leave the header for it'
  )
  return reply.body.error.data
}

t.test('a placeholder, as each agent and shell writes it', async (t) => {
  for (const [placeholder, hint] of [
    ['${TOKEN}', /variable of the environment/],
    ['${TOKEN:-}', /variable of the environment/],
    ['$TOKEN', /variable of the environment/],
    ['$env:TOKEN', /variable of the environment/],
    ['%TOKEN%', /variable of the environment/],
    ['!TOKEN!', /variable of the environment/],
    ['{TOKEN}', /variable of the environment/],
    ['${env:TOKEN}', /as Cursor, Windsurf and Roo Code write it/],
    ['{env:TOKEN}', /only opencode writes it so/],
    ['{file:~/.config/token}', /content of a file: only opencode/],
    ['${file:/run/token}', /only Windsurf/],
    ['${input:exploration-token}', /input of VS Code/],
    ['${{ secrets.TOKEN }}', /pipeline/],
    ['{{TOKEN}}', /pipeline/],
    ['$(cat token)', /shell/],
    ['op://vault/item/token', /vault/],
    ['<your token>', /was to be replaced/],
    ['YOUR_API_KEY_HERE', /was to be replaced/],
    ['svc_key_…', /beginning of an example/],
    ['svc_pat_xxxx', /beginning of an example/],
    ['', /is empty/]
  ] as const) {
    const sent = bytes(placeholder)
    t.match(await hintFor(`Bearer ${sent}`), { reason: 'placeholder', hint }, placeholder)
    if (placeholder !== '') t.match(await hintFor(sent), { reason: 'placeholder' }, `${placeholder}, for all of the header`)
  }
})

t.test('the way in which the agent that sent it would fill it in', async (t) => {
  const said = async (userAgent: string) => (await hintFor('Bearer ${elsewhere:TOKEN}', userAgent)).hint
  t.match(await said('claude-code/2.1.204 (cli)'), /Claude Code writes a variable as \$\{NAME\} and/)
  t.match(await said('Cursor/1.9'), /Cursor writes a variable as \$\{env:NAME\} and/)
  t.match(await said('Visual Studio Code/1.120'), /VS Code writes a variable as \$\{input:ID\}/)
  t.match(await said('opencode/1.4'), /\{env:NAME\} and files as \{file:PATH\}/)
  t.match(await said('windsurf/2'), /\$\{env:NAME\} and files as \$\{file:PATH\}/)
  t.match(await said('Zed/0.230'), /Zed fills in no variable there: put "headers"/)
  t.match(await said('codex_cli_rs/0.159'), /Codex fills in no variable there: set bearer_token_env_var/)
  t.notMatch(await said('curl/8'), /writes a variable|fills in no variable there/)
})

t.test('an agent that sends no header is told where its entry has it, in the words of its own table', async (t) => {
  const NAMES: Record<string, string> = {
    'claude-code': 'claude-code/2',
    vscode: 'Visual Studio Code/1',
    copilot: 'copilot-cli/1',
    'cline-cli': 'Cline/3',
    roo: 'Roo-Code/3'
  }
  for (const { id, entry, secret } of agents) {
    const { reason, hint } = await hintFor(undefined, NAMES[id] ?? `${id}/1`)
    t.equal(reason, 'missing')
    t.match(hint, /There is no Authorization header\. .* In \w/, id)
    for (const [field, value] of Object.entries(entry)) {
      if (field === 'type' || (value === '<url>')) t.match(hint, new RegExp(id === 'codex' ? 'config\\.toml' : field === 'type' ? String(value) : `"${field}"`), `${id}: ${field}`)
    }
    const [header = ''] = Object.keys(secret.token ?? {})
    t.ok(hint.includes(header), `${id}: ${header}`)
  }
  t.notMatch((await hintFor(undefined, 'curl/8')).hint, / In /)
})

t.test('a header that is nearly right', async (t) => {
  for (const [header, reason, hint] of [
    [key, 'malformed', /The word "Bearer" is missing/],
    [`Bearer  ${key}`, 'malformed', /more than one space/],
    [`Bearer\t${key}`, 'malformed', /a tab/],
    [`Bearer: ${key}`, 'malformed', /a colon/],
    [`Bearer Bearer ${key}`, 'malformed', /there twice/],
    [`Token ${key}`, 'malformed', /not "Token" but "Bearer"/],
    [`Bearer '${key}'`, 'malformed', /quotes/],
    [bytes(`Bearer “${key}”`), 'malformed', /quotes/],
    [bytes(`Bearer\u00a0${key}`), 'malformed', /wide space/],
    [bytes(`Bearer ${key}\u200b`), 'malformed', /a character in it that no credential has/],
    [`Bearer ${key.slice(0, key.length / 2)}`, 'mistyped', /its end is missing/],
    [`Bearer ${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`, 'mistyped', /checksum/],
    [`Bearer ${key}${key}`, 'mistyped', /too long/],
    ['Bearer ghp_abcdefghijklmnop', 'malformed', /svc_key_ or svc_pat_/]
  ] as const) t.match(await hintFor(header), { reason, hint }, String(hint))
})

t.test('a credential of another deployment', async (t) => {
  for (const kind of ['api_key', 'personal_access_token'] as const) {
    t.match(await hintFor(`Bearer ${mint(kind, 'ABCDEF')}`), { reason: 'foreign', hint: /another deployment.*URL/ })
  }
  t.match(
    await hintFor(`Bearer ${mint('personal_access_token')}`),
    { reason: 'invalid', hint: /of another deployment/ },
    'tokens of before do not say where they are of'
  )
})

t.test('wrong, revoked and expired are told alike, and no secret is repeated', async (t) => {
  const [user] = await people.listUsers()
  const { id, token } = await credentials.createToken({ user: user!.id, name: 'gone' })
  await credentials.revoke('personal_access_token', id)
  const gone = await hintFor(`Bearer ${token}`)
  t.strictSame(gone, await hintFor(`Bearer svc_pat_${'A'.repeat(32)}`))
  t.notMatch(JSON.stringify(gone) + log.join(''), token)
})
