// Secrets planted in every place of a request, in any escape: none is in the wire log, the log, the audit log, a span or a report.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { context, metrics, propagation, trace } from '@opentelemetry/api'
import { NodeSDK, tracing } from '@opentelemetry/sdk-node'
import fc from 'fast-check'
import t from 'tap'
import { createObserver } from '../../../src/engine/observer/observer.js'
import { redactText } from '../../../src/lib/redact/redact.js'
import { build, handshake, meta, MODERN, post } from '../../helpers/build.js'
import { runs } from '../../helpers/fuzzing.js'

const SECRET = 'ABCDEFGHJKLMNPQRSTUVWXYZ234567ABCDEFGHJK'
const PLANTED = `svc_key_${SECRET}`
const PASSWORD = 'Tr0ub4dor-and-3'

type Spelling = (text: string) => string
const each = (text: string, spell: (code: string, character: string) => string): string =>
  [...text].map((character) => spell(character.charCodeAt(0).toString(16).padStart(2, '0'), character)).join('')
const jsonEscape: Spelling = (text) => each(text, (code) => `\\u00${code}`)
const percent: Spelling = (text) => each(text, (code) => `%${code}`)
const underscores = (by: string): Spelling => (text) => text.replaceAll('_', by)
const base64 = (before: string): Spelling => (text) => Buffer.from(before + text).toString('base64')

const HEADER_SPELLINGS: Spelling[] = [(text) => text, (text) => `Bearer ${text}`, percent, (text) => percent(percent(text)), underscores('%5F'),
  base64(''), base64('a:'), base64('us:'), (text) => `Basic ${base64('x:')(text)}`, (text) => `=?base64?${base64('')(text)}?=`,
  (text) => Buffer.from(text).toString('base64url'), jsonEscape]
/** What stands between the quotes of a JSON string. */
const JSON_SPELLINGS: Spelling[] = [...HEADER_SPELLINGS.slice(0, -1), jsonEscape, underscores('\\u005f'), underscores('\\u005F'),
  (text) => jsonEscape(text).replaceAll('\\', '\\\\'), (text) => each(text, (code, character) => parseInt(code, 16) % 2 ? `\\u00${code}` : character)]

const PERCENT = /%([0-9a-f]{2})/gi
const read = (text: string): string => text
  .replace(/\\+u00([0-9a-f]{2})/gi, (_all, code: string) => String.fromCharCode(parseInt(code, 16)))
  .replace(PERCENT, (_all, code: string) => String.fromCharCode(parseInt(code, 16)))
  .replace(PERCENT, (_all, code: string) => String.fromCharCode(parseInt(code, 16)))
const ENCODED = [0, 1, 2].map((offset) => Buffer.from('\0'.repeat(offset) + SECRET).toString('base64').slice(4, 40))
const leaks = (text: string): boolean =>
  [SECRET, PASSWORD].some((secret) => text.includes(secret) || read(text).includes(secret)) || ENCODED.some((part) => text.includes(part))

t.test('the search for leaks finds each spelling', async (t) => {
  for (const spell of [...HEADER_SPELLINGS, ...JSON_SPELLINGS]) t.ok(leaks(spell(PLANTED)), spell(PLANTED))
})

t.test('redactText', async (t) => {
  for (const spell of [...HEADER_SPELLINGS, ...JSON_SPELLINGS]) {
    for (const [before, after] of [['', ''], ['x ', ' y'], ['{"a":"', '"}'], ['%41\\u0041 ', ' %41 \\u0041'], ['\\n', '\\n']] as const) {
      const shown = redactText(before + spell(PLANTED) + after)
      t.notOk(leaks(shown), shown)
      if (before !== '\\n') t.ok(shown.startsWith(before), 'what is before it stays')
      t.ok(shown.endsWith(after), 'and what is after it')
    }
  }
  t.equal(redactText('a %41 \\u0041 svc_key text c3ZjX2t'), 'a %41 \\u0041 svc_key text c3ZjX2t', 'nothing else changes')
  fc.assert(fc.property(fc.json(), fc.constantFrom(...JSON_SPELLINGS), (json, spell) => {
    const line = JSON.stringify({ json, planted: 0 }).replace('"planted":0', `"planted":"\\n${spell(PLANTED)}\\n"`)
    return (JSON.parse(redactText(line)) as { json: string }).json === json
  }), runs(200))
})

const REQUEST_PLACES = ['id', 'method', 'name', 'uri', 'cursor', 'taskId', 'key of params', 'argument', 'key of arguments', 'client name',
  'client version', 'capability', 'meta', 'progressToken', 'traceparent', 'requestState', 'inputResponses', 'jsonrpc', 'no JSON'] as const
const HEADERS = ['x-api-key', 'api-key', 'x-auth-token', 'cookie', 'user-agent', 'mcp-name', 'mcp-method', 'mcp-param-region', 'accept', 'origin',
  'traceparent', 'proxy-authorization', 'mcp-protocol-version', 'mcp-session-id', 'last-event-id', 'x-anything', 'referer', 'x-forwarded-for'] as const

const bodyWith = (place: typeof REQUEST_PLACES[number], planted: string): string => {
  const marker = '"PLANTED"'
  const at = (where: typeof place, otherwise: unknown): unknown => where === place ? 'PLANTED' : otherwise
  const body = {
    jsonrpc: at('jsonrpc', '2.0'),
    id: at('id', 1),
    method: at('method', place === 'uri' ? 'resources/read' : place === 'cursor' ? 'resources/list' : place === 'taskId' ? 'tasks/get' : 'tools/call'),
    params: {
      name: at('name', 'find_explorations'),
      ...(place === 'uri' && { uri: 'PLANTED' }),
      ...(place === 'cursor' && { cursor: 'PLANTED' }),
      ...(place === 'taskId' && { taskId: 'PLANTED' }),
      ...(place === 'key of params' && { PLANTED: 1 }),
      ...(place === 'requestState' && { requestState: ['PLANTED', PASSWORD] }),
      ...(place === 'inputResponses' && { inputResponses: { a: { action: 'accept', content: { password: PASSWORD, other: 'PLANTED' } } } }),
      arguments: { query: at('argument', 'x'), ...(place === 'key of arguments' && { PLANTED: 1 }) },
      _meta: meta({
        'io.modelcontextprotocol/clientInfo': { name: at('client name', 'n'), version: at('client version', '1') },
        'io.modelcontextprotocol/clientCapabilities': place === 'capability' ? { PLANTED: {} } : {},
        ...(place === 'meta' && { anything: 'PLANTED' }),
        ...(place === 'progressToken' && { progressToken: 'PLANTED' }),
        ...(place === 'traceparent' && { traceparent: 'PLANTED' })
      })
    }
  }
  const json = JSON.stringify(body).replace(marker, `"${planted}"`)
  return place === 'no JSON' ? json.replace('"x"', `"${planted}","inputResponses":{"a":"${PASSWORD}"}`).slice(0, -3) : json
}

const LIMITS = { rateLimitReadPerMinute: '100000', rateLimitReadPerDay: '1000000' }

t.test('every place', async (t) => {
  const spans = new tracing.InMemorySpanExporter()
  const spanProcessors = [new tracing.SimpleSpanProcessor(spans)]
  const sdk = new NodeSDK({ autoDetectResources: false, spanProcessors, logRecordProcessors: [], metricReaders: [] })
  sdk.start()
  t.teardown(async () => {
    await sdk.shutdown()
    for (const registered of [trace, context, propagation, metrics]) registered.disable()
  })
  const file = join(t.testdir(), 'wire.ndjson')
  const seen = createObserver()
  const { app, key, audit, log } = await build(t, { ...LIMITS, wireLog: file, logLevel: 'trace' }, [seen.record])
  const session = await handshake(app, key)
  const send = (url: string, headers: Record<string, string>, payload: string) => post(app, key, payload, headers, url)
  const modern = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'find_explorations' }

  const inBody = fc.tuple(fc.constantFrom(...REQUEST_PLACES), fc.constantFrom(...JSON_SPELLINGS), fc.boolean())
  await fc.assert(fc.asyncProperty(inBody, async ([place, spell, old]) => {
    const { status } = await send('/mcp', old ? { 'mcp-session-id': session } : modern, bodyWith(place, spell(PLANTED)))
    return status < 500
  }), { ...runs(150), examples: REQUEST_PLACES.map((place) => [[place, JSON_SPELLINGS.at(-1)!, false]]) })

  const inHeader = fc.tuple(fc.constantFrom(...HEADERS), fc.constantFrom(...HEADER_SPELLINGS))
  await fc.assert(fc.asyncProperty(inHeader, async ([name, spell]) =>
    (await send('/mcp', { ...modern, [name]: spell(PLANTED) }, bodyWith('meta', 'x'))).status < 500), runs(80))

  for (const spell of HEADER_SPELLINGS.slice(0, -1)) {
    await send(`/mcp/${encodeURI(spell(PLANTED))}`, {}, '{}')
    await send(`/mcp?token=${encodeURIComponent(spell(PLANTED))}&p=${PASSWORD}`, modern, bodyWith('meta', 'x'))
    await send('/mcp', { authorization: `Bearer ${spell(PLANTED)}` }, '{}')
    await send('/mcp', { authorization: spell(PLANTED) }, '{}')
  }
  for (const message of [
    ...[{ action: 'accept', content: { password: PASSWORD } }, { content: [{ type: 'text', text: PASSWORD }] }, PASSWORD].map((result) => ({ result })),
    { error: { code: 1, message: PASSWORD } }, { method: 'ping', params: { told: session } }
  ]) await send('/mcp', { 'mcp-session-id': session }, JSON.stringify({ jsonrpc: '2.0', id: 5, ...message }))

  await app.close()
  await audit.flush()
  const places = {
    'the wire log': readFileSync(file, 'utf8').trim().split('\n'),
    'the log': log,
    'the audit log': (await audit.list({ limit: 1000 })).map((row) => JSON.stringify(row)),
    spans: spans.getFinishedSpans()
      .map(({ name, attributes, events, status, links }) => JSON.stringify([name, attributes, events, status, links])),
    'the report': seen.report().map((client) => JSON.stringify(client))
  }
  for (const [name, lines] of Object.entries(places)) {
    t.ok(lines.length > 0, `${name} has something`)
    t.same(lines.filter((line) => leaks(line) || line.includes(session) || line.includes(key.slice(8, 40))), [], `${name} has no secret`)
  }
  for (const line of places['the wire log']) JSON.parse(line)
})
