// @any-node: rows of the audit log; what a Node tells of clients that leave is in engine/http/resume.test.ts
/**
 * Every method, outcome, era and path against the audit log: each cell has the row that it leaves, or the reason why it leaves none. The
 * table is docs/reference/audit-matrix.md; AUDIT_MATRIX=write writes it anew.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { METHODS } from '../../src/engine/methods/index.js'
import type { AuditRecord } from '../../src/access/audit/audit-log.js'
import type { Search } from '../../src/planning/store.js'
import { build, handshake, legacy, meta, modern, modernRequest, post } from '../helpers/build.js'
import { idOf, workspaceId } from '../helpers/planning.js'
import { backDated } from '../helpers/back-dated.js'

const PAGE = fileURLToPath(new URL('../../docs/reference/audit-matrix.md', import.meta.url))
const TOKEN = 'a-token-of-the-tests-that-fronts-show'
const SEEN = 'tillpoint'
const NOBODYS = '00000000-0000-4000-8000-000000000000'

// A question of this text is answered when its caller has gone.
const asked: { waiting?: () => void } = {}
const search: Search = {
  find: async ({ query, signal }) => {
    if (query !== 'wait') return { items: [], words: {} } as never
    asked.waiting?.()
    await once(signal!, 'abort')
    throw signal!.reason
  }
}

const server = await build(t, {
  platformToken: TOKEN,
  trustProxy: '1',
  failedAuthPerMinute: '3',
  rateLimitReadWritePerMinute: '1',
  rateLimitReadPerMinute: '100000',
  streamsPerCredential: '1'
}, [], undefined, search)
const { app, db, audit, credentials, people, key } = server

const widest = (await people.listUsers()).sort((one, other) => other.memberships - one.memberships)[0]!
/** Sees one workspace. */
const narrow = (await credentials.createKey({ user: widest.id, name: 'narrow', scope: 'read', workspaces: [workspaceId(SEEN)] })).key
const mine = idOf('Pay in instalments')
const foreign = idOf('Quarantine')
const foreignWorkspace = workspaceId('kiln')

type Row = Pick<AuditRecord, 'action' | 'outcome' | 'reported_by'>
let last = '0'
const newRows = async (): Promise<Row[]> => {
  await credentials.flush()
  await audit.flush()
  const rows = await db.query<Row & { id: string }>(
    "select id::text, action, outcome, reported_by from audit_events where id > $1::bigint and action not like 'credential/first_used' and action <> 'credential/created' order by id", [last])
  last = rows.at(-1)?.id ?? last
  return rows
}

const lines: string[] = []
let network = 0
/** A network of its own for each cell: refusals of one network are summed up. */
const address = (): string => `10.${++network >> 8}.${network & 255}.7`

interface Cell { what: string, case: string, era: string, row: string, why?: string | undefined }
const cell = ({ what, case: name, era, row, why }: Cell): void => {
  lines.push(`| ${what} | ${era} | ${name} | ${row === '' ? '–' : row} | ${why ?? ''} |`)
}
const shown = (rows: readonly Row[]): string => rows.map(({ action, outcome, reported_by: by }) =>
  `\`${action.replaceAll(/[0-9a-f-]{36}/g, '{id}')}\` ${outcome}${by === undefined || by === null ? '' : ', reported by a front'}`).join('; ')

type Params = Record<string, unknown>
interface Subject {
  ok?: Params
  invalid?: Params
  /** Names what no one has, what others have, a workspace that the caller cannot see. */
  unknown?: Params
  foreign?: Params
  forbidden?: Params
  /** Why a call leaves no row; a reason is needed for whatever is not audited. */
  none?: string
}

const exploration = (id: string): Params => ({ uri: `service://exploration/${id}` })
const artifactOf = (id: string): Params => ({
  ref: { type: 'ref/resource', uri: 'service://exploration/{explorationId}/artifact/{artifactType}' },
  argument: { name: 'artifactType', value: '' },
  context: { arguments: { explorationId: id } }
})
const watching = (...uris: unknown[]): Params => ({ notifications: { resourceSubscriptions: uris } })
const tool = (name: string, args: object): Params => ({ name, arguments: args })
/** A call that names a record: the caller's, no one's, one of others. */
const naming = (call: (id: string) => Params): Subject => ({ ok: call(mine), unknown: call(NOBODYS), foreign: call(foreign) })

const PROTOCOL = 'names no record'
const ALIKE = 'the same for everybody'
const SKILL = { uri: 'skill://review-a-plan/SKILL.md' }
const ofOthers = { uri: `service://workspace/${foreignWorkspace}/explorations` }
const SUBJECTS: Record<string, Subject> = {
  initialize: { ok: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }, invalid: {}, none: PROTOCOL },
  ping: { ok: {}, none: PROTOCOL },
  'server/discover': { ok: {}, none: PROTOCOL },
  'tools/list': { ok: {}, invalid: { cursor: 1 }, none: ALIKE },
  'tools/call': {
    ...naming((id) => tool('get_exploration', { exploration_id: id })),
    invalid: { name: 7 },
    forbidden: tool('find_explorations', { query: 'x', workspace_id: foreignWorkspace })
  },
  'resources/list': { ok: {}, invalid: { cursor: 'made up' } },
  'resources/templates/list': { ok: {}, invalid: { cursor: 'x' }, none: ALIKE },
  'resources/read': { ...naming(exploration), invalid: { uri: 7 }, forbidden: ofOthers },
  'skills/list': { ok: {}, invalid: { cursor: 'x' }, none: ALIKE },
  'skills/get': { ok: SKILL, invalid: { uri: 7 }, unknown: { uri: 'skill://nothing/SKILL.md' }, none: ALIKE },
  'resources/directory/read': { ok: { uri: 'skill://review-a-plan' }, invalid: { uri: 7 }, unknown: SKILL, none: ALIKE },
  'completion/complete': { ...naming(artifactOf), invalid: { ref: 7 } },
  'logging/setLevel': { ok: { level: 'info' }, invalid: { level: 'loud' }, none: PROTOCOL },
  'resources/subscribe': { ...naming(exploration), invalid: { uri: 7 }, forbidden: ofOthers },
  'resources/unsubscribe': { ok: exploration(mine), invalid: { uri: 7 } },
  'subscriptions/listen': {
    ...naming((id) => watching(exploration(id)['uri'])),
    ok: watching(exploration(mine)['uri'], 'service://workspaces'),
    invalid: {},
    forbidden: watching(ofOthers.uri)
  }
}

const CASES = { ok: 'ok', invalid: 'invalid parameters', unknown: 'not found', foreign: 'a record of others', forbidden: '403: a workspace of others' } as const
const methods = METHODS.filter(({ requires }) => requires !== 'prompts' && requires !== 'tasks')

/** Sends one call in the era, by a key and from an address. */
const call = async (
  era: 'legacy' | 'modern', by: string, method: string, params: Params, from: string
): Promise<void> => {
  const headers = { 'x-forwarded-for': from }
  if (era === 'legacy') {
    await legacy(app, by, method === 'initialize' ? undefined : session, method, params, headers)
  } else if (method === 'subscriptions/listen') {
    await listening(by, params, from)
  } else {
    await modern(app, by, method, params, headers)
  }
}

/**
 * Listens until the subscription has begun, or was refused, and leaves. Resolves when the server has seen that, as the caller may have one
 * stream.
 */
const listening = async (by: string, params: Params, from: string): Promise<void> => {
  const request = modernRequest(by, 'subscriptions/listen', params)
  const leaving = new AbortController()
  const left = new Promise<void>((resolve) => {
    app.server.once('request', (_, reply: ServerResponse) => { reply.once('close', resolve) })
  })
  const reply = await fetch(endpoint, {
    ...request, headers: { ...request.headers, 'x-forwarded-for': from }, signal: leaving.signal
  })
  const reader = reply.body!.getReader()
  await reader.read()
  leaving.abort()
  await reader.closed.catch(() => {})
  await left
}

const endpoint = await app.listen({ port: 0, host: '127.0.0.1' }).then((url) => `${url}/mcp`)
let session = await handshake(app, narrow)

t.test('each method, outcome and era', async (t) => {
  await newRows()
  t.strictSame(Object.keys(SUBJECTS).sort(), methods.map(({ name }) => name).sort(), 'each method has its cells')
  for (const definition of methods) {
    const subject = SUBJECTS[definition.name]!
    for (const era of ['legacy', 'modern'] as const) {
      if (!definition[era]) continue
      for (const [name, label] of Object.entries(CASES) as Array<[keyof typeof CASES, string]>) {
        const params = subject[name]
        if (params === undefined) continue
        await call(era, narrow, definition.name, params, address())
        const rows = await newRows()
        const where = `${definition.name}, ${era}: ${label}`
        if (subject.none === undefined) {
          t.ok(rows.length >= 1 && rows.every(({ action }) => action.startsWith(definition.name)), where)
          if (name === 'foreign') t.ok(rows.every(({ outcome }) => outcome === 'forbidden' || outcome === 'left_out'), where)
          if (name === 'forbidden') t.match(rows, [{ outcome: 'forbidden' }], where)
          if (name === 'unknown') t.notOk(rows.some(({ outcome }) => outcome === 'forbidden'), where)
        } else {
          t.strictSame(rows, [], where)
        }
        cell({ what: `\`${definition.name}\``, era, case: label, row: shown(rows), why: subject.none })
      }
    }
  }
})

t.test('anyone who is refused before a method runs, whatever it asks for', async (t) => {
  const cells = new Map<string, Set<string>>()
  for (const [era, method] of [['legacy', 'tools/call'], ['modern', 'tools/list'], ['modern', 'subscriptions/listen']] as const) {
    const params = SUBJECTS[method]!.ok ?? {}
    const note = async (name: string, expected: Partial<Row>): Promise<void> => {
      const rows = await newRows()
      t.match(rows, [expected], `${method}, ${era}: ${name}`)
      cells.set(name, (cells.get(name) ?? new Set()).add(shown(rows)))
    }
    await call(era, `${narrow.slice(0, -1)}${narrow.endsWith('A') ? 'B' : 'A'}`, method, params, address())
    await note('401: a wrong credential', { outcome: 'unauthorized', action: 'refused mistyped' })
    const limited = (await credentials.createKey({ user: widest.id, name: 'limited', scope: 'read_write' })).key
    const before = session
    if (era === 'legacy') session = await handshake(app, limited)
    else await modern(app, limited, 'server/discover')
    await newRows()
    await call(era, limited, method, params, address())
    session = before
    await note('429: the limit is used up', { outcome: 'rate_limited', action: 'refused minute' })
  }
  const why = 'the first of a minute at once, the others of it as one row with their count'
  for (const [name, rows] of cells) cell({ what: 'any method', era: 'both', case: name, row: [...rows].join('; '), why })
})

t.test('calls that are taken back', async (t) => {
  const waiting = (): Promise<void> => new Promise((resolve) => { asked.waiting = resolve })
  const begun = waiting()
  const params = tool('find_explorations', { query: 'wait' })
  const going = legacy(app, narrow, session, 'tools/call', params)
  await begun
  await post(app, narrow, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, { 'mcp-session-id': session })
  await going
  const old = await newRows()
  t.match(old, [{ action: 'tools/call find_explorations', outcome: 'cancelled' }])
  cell({ what: '`tools/call`', era: 'legacy', case: 'taken back', row: shown(old), why: 'the other methods by the same lines of code' })
  const begunAgain = waiting()
  const leaving = new AbortController()
  const request = modernRequest(narrow, 'tools/call', params)
  const gone = fetch(endpoint, { ...request, headers: { ...request.headers, 'mcp-name': 'find_explorations' }, signal: leaving.signal }).catch(() => {})
  await begunAgain
  leaving.abort()
  await gone
  const rows: Row[] = []
  while (rows.length === 0) {
    await new Promise((resolve) => { setImmediate(resolve) })
    rows.push(...await newRows())
  }
  t.match(rows, [{ action: 'tools/call find_explorations', outcome: 'cancelled' }])
  cell({ what: '`tools/call`', era: 'modern', case: 'taken back', row: shown(rows), why: 'a subscription is on record from its beginning' })
})

t.test('other paths', async (t) => {
  const send = async (
    method: 'GET' | 'POST' | 'DELETE', url: string, headers: Record<string, string>, payload?: string, from = address()
  ) => app.inject({ method, url, headers: { host: 'localhost', ...headers }, remoteAddress: from, ...payload !== undefined && { payload } })
  const is = async (what: string, name: string, expected: Array<Partial<Row>>, why?: string): Promise<void> => {
    const rows = await newRows()
    t.equal(rows.length, expected.length, `${what}: ${name}`)
    t.match(rows, expected, `${what}: ${name}`)
    cell({ what: `\`${what}\``, era: '', case: name, row: shown(rows), why })
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const wrong = { authorization: 'Bearer svc_key_WRONG' }
  const accept = 'text/event-stream'
  const evil = { origin: 'https://evil.example' }
  await newRows()
  type Sent = [method: 'GET' | 'POST' | 'DELETE', url: string, headers: Record<string, string>, payload?: string]
  type PathRow = [what: string, name: string, sent: Sent, expected: Array<Partial<Row>>, why?: string]
  const each = async (rows: readonly PathRow[]): Promise<void> => {
    for (const [what, name, sent, expected, why] of rows) {
      await send(...sent)
      await is(what, name, expected, why)
    }
  }

  await each((['GET', 'DELETE'] as const).flatMap((method): PathRow[] => [
    [`${method} /mcp`, '401', [method, '/mcp', { ...wrong, accept }], [{ outcome: 'unauthorized' }]],
    [`${method} /mcp`, '403: a foreign origin', [method, '/mcp', { authorization: `Bearer ${narrow}`, accept, ...evil }], [{ outcome: 'foreign_origin' }]]
  ]))
  const own = (await credentials.createKey({ user: widest.id, name: 'own', scope: 'read' })).key
  const ofOwn = { authorization: `Bearer ${own}`, 'mcp-session-id': await handshake(app, own) }
  const leaving = new AbortController()
  const stream = (signal: AbortSignal) => fetch(endpoint, { headers: { ...ofOwn, accept, 'mcp-protocol-version': '2025-11-25' }, signal })
  await stream(leaving.signal)
  await is('GET /mcp', 'ok', [], 'what the session watches is on record as `resources/subscribe`')
  await stream(AbortSignal.timeout(60_000))
  await is('GET /mcp', '429: too many streams', [{ outcome: 'too_many_streams' }])
  leaving.abort()

  const [ownToken, revoke] = ['/api/v1/token', '/api/v1/revoke']
  const refusedToken = [{ outcome: 'unauthorized', action: `refused GET ${ownToken}` }]
  await each([
    ['DELETE /mcp', 'ok', ['DELETE', '/mcp', ofOwn], [], PROTOCOL],
    ['GET /mcp', 'an unknown session', ['GET', '/mcp', { ...ofOwn, 'mcp-session-id': 'made up', accept }], [], 'a session opens nothing without its credential'],
    ['GET /api/v1/token', 'ok', ['GET', ownToken, { authorization: `Bearer ${narrow}` }], [], 'says what its holder knows'],
    ['GET /api/v1/token', '401: a wrong credential', ['GET', ownToken, wrong], refusedToken],
    ['GET /api/v1/token', '401: no credential', ['GET', ownToken, {}], refusedToken],
    ['GET /api/v1/token', '403: a foreign origin', ['GET', ownToken, { ...wrong, ...evil }], [{ outcome: 'foreign_origin' }]]
  ])
  const insistent = address()
  for (let n = 0; n < 5; n++) await send('GET', ownToken, wrong, undefined, insistent)
  await is('GET /api/v1/token', '429: the limit is used up', [{ outcome: 'unauthorized' }, { outcome: 'rate_limited' }])

  const device = '/api/v1/device'
  const grant = 'grant_type=urn:ietf:params:oauth:grant-type:device_code'
  const front = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const event = (action: string) =>
    JSON.stringify({ events: [{ id: '11111111-1111-4111-8111-111111111111', action, outcome: 'ok', duration_ms: 1, request_id: 'r', remote_address: '192.0.2.1' }] })
  await each([
    ['POST /api/v1/revoke', 'a wrong token', ['POST', revoke, form, 'token=svc_key_WRONG'], [{ outcome: 'unauthorized', action: `refused POST ${revoke}` }]],
    ['POST /api/v1/revoke', 'ok', ['POST', revoke, form, `token=${own}`], [{ action: 'credential/revoked', outcome: 'ok' }]],
    ['POST /api/v1/device/authorization', 'ok', ['POST', `${device}/authorization`, form, 'client_id=x'], [], 'nothing is given before an administrator approves'],
    ['POST /api/v1/device/token', 'a wrong code', ['POST', `${device}/token`, form, `${grant}&device_code=guessed`],
      [{ outcome: 'unauthorized', action: `refused POST ${device}/token` }]],
    ['POST /api/v1/device/token', '403: a foreign origin', ['POST', `${device}/token`, { ...form, ...evil }, grant], [{ outcome: 'foreign_origin' }]],
    ['/api/v1 (platform API)', '401: not the token of fronts', ['GET', '/api/v1/platform', { authorization: `Bearer ${key}` }],
      [{ outcome: 'unauthorized', action: 'refused GET /api/v1/platform' }]],
    ['POST /api/v1/audit-events', 'an event of a front', ['POST', '/api/v1/audit-events', front, event('tools/call get_exploration')],
      [{ action: 'tools/call get_exploration' }]]
  ])
  for (const action of ['credential/revoked', 'service_account/created', 'audit/purged']) {
    t.equal((await send('POST', '/api/v1/audit-events', front, event(action))).statusCode, 400, action)
  }
  await is('POST /api/v1/audit-events', '`credential/`, `service_account/` or `audit/` of a front', [], 'refused: the platform records these itself')

  await backDated(db, "values (now() - interval '400 days', 'old', 'ok', 0, '-', '-')")
  await newRows()
  await audit.purge(365)
  await is('AUDIT_RETENTION_DAYS', 'a purge', [{ action: 'audit/purged older than 365 days', outcome: 'ok' }])
})

t.test('who reported an event; what clients declare is redacted and bounded', async (t) => {
  t.match(await audit.list({ limit: 9, action: 'tools/call get_exploration', since: '2000-01-01T00:00:00Z' }).then((rows) => rows.filter((row) => row.reported_by)),
    [{ reported_by: /^front at 10\.\d+\.\d+\.\d+$/ }])
  const secret = `svc_key_${'A'.repeat(40)}`
  await modern(app, narrow, 'tools/call', {
    name: `ping ${secret}`,
    _meta: meta({ 'io.modelcontextprotocol/clientInfo': { name: `${secret} ${'x'.repeat(5000)}`, version: secret } })
  })
  await modern(app, narrow, 'resources/read', { uri: `service://exploration/${secret}` })
  await audit.flush()
  const all = JSON.stringify(await db.query('select * from audit_events'))
  t.notMatch(all, /AAAAAAAAAA/)
  const [longest] = await db.query<{ most: number }>('select max(greatest(length(client), length(action))) as most from audit_events')
  t.ok(longest!.most <= 500)
})

t.test('the page shows it', async (t) => {
  const page = readFileSync(PAGE, 'utf8')
  const table = ['| what | era | case | rows | why none, or how |', '|---|---|---|---|---|', ...lines].join('\n')
  const written = page.replace(/^\| what \|[^]*?\n\n/m, `${table}\n\n`)
  if (process.env['AUDIT_MATRIX'] === 'write') writeFileSync(PAGE, written)
  else t.equal(page, written, 'AUDIT_MATRIX=write npx tap test/http/audit-matrix.test.ts writes it')
  t.ok(lines.length > 60)
})
