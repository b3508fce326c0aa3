// A server that answers with what would steer a terminal, be filled in by an agent or executed by a shell, in any place of any answer:
// none of it is written into a file, filled in, or printed as it is.
/* eslint-disable no-template-curly-in-string -- what agents fill in */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import fc from 'fast-check'
import t from 'tap'
import { commandLine } from '../helpers/command-line.js'
import { runs, some } from '../helpers/fuzzing.js'
import { listeningPort } from '../helpers/listening-port.js'

const TOKEN = `svc_pat_${'T'.repeat(32)}`
const SECRET = 'SECRETOFTHEUSER'
const MARK = 'qQzZhostile'
const HOSTILE = [
  '${env:AWS}', '${AWS}', '$AWS', '{env:AWS}', '{file:~/.vault-token}', '$(cat ~/.vault-token)', '`id`', '"; touch pwned; "', "' || touch pwned '", '\u001b[2J\u001b[31m',
  '\n✔ Cursor: verified\n', '\r', '\u0000', '\u009b31m', '\u202e', '\u200b', '\u2028', '<secret>', '../../../etc/passwd', 'svc_pat_', 'https://evil.example/${AWS}', 'javascript:alert(1)'
]

type Path = ReadonlyArray<string | number>
const ID = '11111111-1111-4111-8111-111111111111'
const META = { 'io.modelcontextprotocol/serverInfo': { name: 'exploration-mcp', version: '0.1.0' } }
const RESULTS: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'exploration-mcp', version: '0.1.0' }
  },
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities: {}, _meta: META },
  'tools/list': { tools: [{ name: 'ping', inputSchema: {} }] },
  'tools/call': { content: [], structuredContent: { workspaces: [{ id: ID, name: 'One' }], next_cursor: 'x' } }
}

const HEADERS = {
  'mcp-session-id': 'session',
  ratelimit: '"minute";r=119;t=60',
  'ratelimit-policy': '"minute";q=120;w=60',
  'credential-expires': 'Sun, 06 Dec 2026 00:00:00 GMT',
  'retry-after': '3',
  location: 'https://x.example/mcp',
  'www-authenticate': 'Bearer'
}
const END = '2027-01-01T00:00:00Z'
const USER = { id: ID, email: 'ann@example.com', name: 'Ann' }
const PAGE = 'https://x.example/device'
type Answer = [status: number, body: unknown]

/** By path, the answers of a server that behaves: when all is well, and when it fails. */
const ANSWERS: Record<string, [good: Answer, failing?: Answer]> = {
  '/api/v1/token': [
    [200, { id: ID, kind: 'personal_access_token', name: 'n', scope: 'read', user: USER, workspaces: 1, expires_at: END }],
    [401, { error: 'invalid_token', error_description: 'It is revoked.' }]
  ],
  '/api/v1/device/authorization': [
    [200, { device_code: 'd', user_code: 'BCDF-GHJK', verification_uri: PAGE, verification_uri_complete: `${PAGE}?c=1`, expires_in: 600, interval: 1 }],
    [400, { error: 'invalid_request', error_description: 'It is not so.' }]
  ],
  '/api/v1/device/token': [[200, { access_token: TOKEN, token_id: ID, expires_at: END, token_type: 'Bearer' }]],
  '/readyz': [[200, { checks: { platform: 'ok' } }]]
}
const MISSING = { code: -32001, message: 'No', data: { reason: 'missing', hint: 'Send it.' } }
const BROKEN = { code: -32603, message: 'It broke', data: { hint: 'Look.', reason: 'because', supported: ['x'] } }

const answerTo = async (request: IncomingMessage, failing: boolean): Promise<Answer> => {
  const sent = await textOf(request)
  const path = new URL(request.url ?? '', 'http://x').pathname
  if (path !== '/mcp') {
    const [good, bad = good] = ANSWERS[path] ?? [[200, {}]]
    return failing ? bad : good
  }
  if (request.headers.authorization === undefined) return [401, { jsonrpc: '2.0', id: 1, error: MISSING }]
  const result = RESULTS[/"method":"([^"]+)"/.exec(sent)?.[1] ?? '']
  if (failing || !result) return [failing ? 400 : 202, { jsonrpc: '2.0', id: 1, error: BROKEN }]
  return [200, { jsonrpc: '2.0', id: 1, result }]
}

const placesIn = (value: unknown, path: Path = []): Path[] => typeof value === 'object' && value !== null
  ? Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))
  : [path]

/** The value with another in one place, or in all that are texts. */
const replaced = (value: unknown, text: string, place: Path | 'texts', path: Path = []): unknown => {
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, inner]) => [key, replaced(inner, text, place, [...path, key])] as const)
    return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
  }
  return (place === 'texts' ? typeof value === 'string' : place.join('/') === path.join('/')) ? text : value
}

let hostile = ''
let chosen = -1
let failing = false
const received: string[] = []
const server = createServer((request, reply) => {
  received.push(JSON.stringify([request.url, request.headers]))
  answerTo(request, failing).then(([status, body]) => {
    const places = placesIn(body)
    const place = chosen === -1 ? 'texts' : places[chosen % Math.max(places.length, 1)] ?? []
    // A header takes no controls: the rest of the text is hostile enough.
    const inHeader = hostile.replaceAll(/[^\x20-\x7e]/g, '')
    const headers = Object.entries(HEADERS).map(([name, value]) => [name, chosen === -1 ? inHeader : value])
    reply.writeHead(status, Object.fromEntries(headers))
    reply.end(JSON.stringify(replaced(body, hostile, place)))
  }).catch(() => { reply.destroy() })
})
const url = `http://127.0.0.1:${await listeningPort(t, server)}/mcp`

let machines = 0
const machine = () => {
  const cli = commandLine(t, { data: join(t.testdirName, `${machines++}`, 'none'), env: { AWS: SECRET } })
  for (const folder of ['.cursor', '.codex', '.config/opencode', '.config/goose']) mkdirSync(join(cli.home, folder), { recursive: true })
  writeFileSync(join(cli.home, '.vault-token'), SECRET)
  return cli
}

/** What no answer may bring about. */
const harmIn = (home: string, printed: string): string[] => {
  const harms: string[] = []
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && readFileSync(join(entry.parentPath, entry.name), 'utf8').includes(MARK)) harms.push(`written into ${entry.name}`)
    if (entry.name === 'pwned') harms.push('executed')
  }
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e\u2028]/.test(printed)) harms.push('steers the terminal')
  if (new RegExp(`^✔ Cursor: verified${MARK}?`, 'm').test(printed)) harms.push('a line of its own')
  if (received.some((request) => request.includes(SECRET))) harms.push('sent to the server')
  if (printed.includes(SECRET)) harms.push('printed')
  return harms
}

mkdirSync(t.testdirName, { recursive: true })
t.teardown(() => t.testdir({}))

t.test('in one place, or in all, of the answers to init with a token, and to doctor', async (t) => {
  const [texts, places] = [fc.constantFrom(...HOSTILE), fc.integer({ min: -1, max: 11 })]
  await fc.assert(fc.asyncProperty(texts, places, fc.boolean(), async (text, place, fails) => {
    [hostile, chosen, failing] = [`${MARK}${text}${MARK}`, place, fails]
    received.length = 0
    const cli = machine()
    const outcomes = [
      await cli.run(['init', '--yes', '--url', url, '--token-file', '-'], TOKEN),
      await cli.run(['doctor', '--url', url, '--token-file', '-'], TOKEN),
      await cli.run(['uninstall', '--yes'])
    ]
    const harms = outcomes.flatMap(({ out, err }) => harmIn(cli.home, out + err))
    if (harms.length > 0) throw new Error(`${harms.join(', ')}\n${JSON.stringify(outcomes)}`)
  }), runs(20))
  t.pass(`${machines} servers`)
})

t.test('in the answers to a request for a code', async (t) => {
  // All texts of the offer; then its code alone, which a client only sends back, and with it the token.
  for (const [text, place] of some([...HOSTILE.map((one) => [one, -1] as const), ...HOSTILE.slice(0, 2).map((one) => [one, 0] as const)])) {
    [hostile, chosen, failing] = [`${MARK}${text}${MARK}`, place, false]
    received.length = 0
    const cli = machine()
    const { out, err, code } = await cli.run(['init', '--yes', '--url', url])
    t.strictSame(harmIn(cli.home, out + err), [], `text ${HOSTILE.indexOf(text)}, place ${place}, exit ${code}`)
  }
})
