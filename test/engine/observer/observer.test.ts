// The observer behind a real endpoint: a faithful client gives no cause for anything, each violation for its own finding alone.
// @no-services: messages
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { CLIENT_RULES, createObserver, requestInput, type Observer, type RuleId } from 'exploration-mcp/engine'
import t from 'tap'
import { served } from '../../conformance/served.js'
import { able, BOTH, initialize, meta, MODERN, modernRequest } from '../../helpers/build.js'
import { tool } from '../serve.js'

type Headers = Record<string, string | undefined>
interface Message { jsonrpc?: string, id?: unknown, method?: string, params?: Record<string, unknown>, result?: unknown }

const TASKS = 'io.modelcontextprotocol/tasks'
const ABLE = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }
const LATEST = '2025-11-25'

const HOUR = 3_600_000

const NONE = { reply: undefined, events: undefined, body: undefined }
const EXCHANGE = { ...NONE, at: 0, durationMs: 1, requestId: 'r', credential: 'c', method: 'POST', url: '/mcp', status: 200, replyHeaders: {} }

const visit = tool('visit', async function * () {
  yield * requestInput({ page: { method: 'elicitation/create', params: { mode: 'url', message: 'x', url: 'https://example.com/', elicitationId: 'e' } } })
  return { content: [] }
})

let leave: (() => void) | undefined
/** Ends when two calls wait: they overlap. */
const meet = tool('meet', async () => {
  if (leave) leave()
  else await new Promise<void>((resolve) => { leave = resolve })
  leave = undefined
  return { content: [] }
})

let watched: Observer
const { app, client: net } = await served(t, { onlookers: [(exchange) => watched.record(exchange)], tools: [visit, meet] })

const setUp = () => {
  let later = 0
  const watching = watched = createObserver({ onError: (error) => { throw error }, oneClient: true, now: () => Date.now() + later })
  let id = 0

  const send = async (body: Message | Message[] | string | undefined, headers: Headers = {}, method: 'POST' | 'GET' | 'DELETE' | 'PUT' = 'POST') => {
    const all = { host: 'localhost', accept: BOTH, 'content-type': 'application/json', authorization: 'Bearer any', 'user-agent': 'probe', ...headers }
    const reply = await app.inject({
      method,
      url: '/mcp',
      headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<string, string>,
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) })
    })
    const text = reply.body.trim().split('data: ').at(-1)!
    return { headers: reply.headers, message: (text ? JSON.parse(text) : {}) as { result: Record<string, never> } }
  }

  const legacy = async (options: { version?: string, capabilities?: object, initialized?: boolean } = {}) => {
    const { version = LATEST, capabilities = {}, initialized = true } = options
    const { headers } = await send({ ...initialize(version, capabilities), id: 'hello' })
    const own = {
      'mcp-session-id': String(headers['mcp-session-id']), ...(version >= '2025-06-18' && { 'mcp-protocol-version': version })
    }
    const notify = (method: string, params = {}) => send({ jsonrpc: '2.0', method, params }, own)
    if (initialized) await notify('notifications/initialized')
    return {
      own,
      notify,
      call: (method: string, params = {}, headers: Headers = {}, as: unknown = ++id) => send({ jsonrpc: '2.0', id: as, method, params }, {
        ...own, ...headers
      }),
      end: () => send(undefined, { ...own, 'content-type': undefined }, 'DELETE')
    }
  }
  const modern = (method: string, params: Record<string, unknown> = {}, headers: Headers = {}, as: string | number = ++id) => {
    const request = modernRequest('any', method, { _meta: able(ABLE), ...params }, as)
    return send(request.body, { ...request.headers, ...headers })
  }
  return { watching, send, legacy, modern, tomorrow: () => { later = 24 * HOUR } }
}

type Bench = ReturnType<typeof setUp>

const rulesIn = (watching: Observer): RuleId[] =>
  watching.report().flatMap(({ findings }) => findings.map(({ rule }) => rule))

/** The rest of the handshake of a client on a socket, which can read a stream while it sends. */
const onSocket = async (capabilities: object) => {
  const hello = await net.post(initialize(LATEST, capabilities))
  await hello.rest()
  const own = { 'mcp-session-id': hello.headers.get('mcp-session-id')!, 'mcp-protocol-version': LATEST }
  await net.post({ method: 'notifications/initialized' }, own)
  return own
}

const ask = { id: 5, method: 'tools/call', params: { name: 'test_elicitation', arguments: { message: 'Who?' } } }
const inputTool = { name: 'test_input_required_result_elicitation', arguments: {} }
const answers = { user_name: { action: 'accept', content: { name: 'Ada' } } }

t.test('a faithful client of each era gives no cause for anything', async (t) => {
  const { legacy, modern, watching, send, tomorrow } = setUp()
  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', LATEST]) {
    const { call, notify, end } = await legacy({ version, capabilities: { roots: { listChanged: true } } })
    await call('ping')
    await call('tools/list', { _meta: { progressToken: 1 } })
    await call('tools/call', { name: 'test_tool_with_progress', arguments: {}, _meta: { progressToken: 1 } })
    await call('resources/read', { uri: 'test://nowhere' })
    await notify('notifications/roots/list_changed')
    await notify('notifications/cancelled', { requestId: 1 })
    await end()
  }
  const batch = await legacy({ version: '2025-03-26' })
  await send([{ jsonrpc: '2.0', id: 'a', method: 'ping' }, { jsonrpc: '2.0', id: 'b', method: 'tools/list' }], batch.own)

  const own = await onSocket(ABLE)
  const call = await net.post(ask, own)
  const question = await call.message()
  await net.post({ id: question!.id, result: { action: 'accept', content: { username: 'Ada', email: 'a@example.com' } } }, own)
  await call.rest()
  const visit = await net.post({ id: 6, method: 'tools/call', params: { name: 'visit' } }, own)
  await net.post({ id: (await visit.message())!.id, result: { action: 'accept' } }, own)
  await visit.rest()

  await modern('server/discover')
  await modern('tools/call', { name: 'test_simple_text', arguments: {} })
  await modern('tools/call', { name: 'test_x_mcp_header', arguments: { region: 'Genève' } }, { 'mcp-param-region': '=?base64?R2Vuw6h2ZQ==?=' })
  const { message } = await modern('tools/call', inputTool)
  const { requestState } = message.result
  await modern('tools/call', { ...inputTool, inputResponses: answers, requestState })
  const _meta = able({ extensions: { [TASKS]: {} } })
  const task = await modern('tools/call', { name: 'failing_job', arguments: {}, _meta })
  await modern('tasks/get', { taskId: task.message.result['taskId'], _meta })
  await modern('resources/read', { uri: 'test://static-text' }, { 'mcp-method': 'resources/read' })
  tomorrow()

  const clients = watching.report()
  t.same(clients.flatMap(({ findings }) => findings), [])
  t.match(clients, [
    {
      name: 'old',
      version: '1',
      revisions: ['2024-11-05', '2025-03-26', '2025-06-18', LATEST],
      sessions: { opened: 6, ended: 4 }
    },
    { name: 'test', version: '1', revisions: [MODERN], user_agent: 'probe' }
  ])
})

/** One request in a legacy session, and one of the modern era. */
const old = (method: string, params?: object, headers?: Headers, id?: unknown) =>
  async ({ legacy }: Bench) => (await legacy()).call(method, params, headers, id)
const young = (...request: Parameters<Bench['modern']>) => ({ modern }: Bench) => modern(...request)
/** What a legacy session sends as it stands. */
const raw = (body: Message | Message[] | string) => async ({ legacy, send }: Bench) => send(body, (await legacy()).own)

const VIOLATIONS: Record<RuleId, Array<(bench: Bench) => Promise<unknown>>> = {
  'accept-incomplete': [old('ping', {}, { accept: 'application/json' }), young('server/discover', {}, { accept: '*/*' })],
  'accept-no-stream': [async ({ legacy, send }) => send(undefined, { ...(await legacy()).own, accept: 'text/html', 'content-type': undefined }, 'GET')],
  'content-type-wrong': [old('ping', {}, { 'content-type': 'text/plain' })],
  'http-method-wrong': [({ send }) => send(undefined, {}, 'PUT')],
  'authorization-lost': [old('ping', {}, { authorization: undefined })],
  'token-in-query': [
    () => app.inject({ method: 'DELETE', url: '/mcp?access_token=any', headers: { host: 'localhost', authorization: 'Bearer any', 'mcp-session-id': 's' } }),
    () => app.inject({ method: 'DELETE', url: '/mcp?t=any', headers: { host: 'localhost', authorization: 'Bearer any', 'mcp-session-id': 's' } })
  ],
  'body-not-json': [raw('{')],
  'message-malformed': [raw('{"id":1,"method":"ping"}'), old('ping', {}, {}, 1.5)],
  'batch-sent': [
    raw([{ jsonrpc: '2.0', id: 1, method: 'ping' }]),
    ({ send }) => send([{ jsonrpc: '2.0', id: 1, method: 'ping' }], { 'mcp-protocol-version': MODERN })
  ],
  'id-null': [old('ping', {}, {}, null)],
  'id-reused': [
    async ({ legacy }) => { const { call } = await legacy(); await call('ping', {}, {}, 1); await call('ping', {}, {}, 1) },
    old('ping', {}, {}, 'hello')
  ],
  'id-in-use': [({ modern }) => Promise.all([1, 1].map((id) => modern('tools/call', { name: 'meet', arguments: {} }, {}, id)))],
  'notification-with-id': [old('notifications/roots/list_changed')],
  'method-unknown': [old('tasks/list'), young('ping')],
  'cursor-invented': [old('tools/list', { cursor: '2' }), young('tools/list', { cursor: '2' })],
  'progress-token-type': [old('ping', { _meta: { progressToken: 1.5 } })],
  'progress-token-reused': [async () => {
    const own = await onSocket(ABLE)
    const params = { ...ask.params, _meta: { progressToken: 1 } }
    const calls = await Promise.all([1, 2].map((id) => net.post({ id, method: 'tools/call', params }, own)))
    await tick()
    for (const call of calls) {
      await net.post({ id: (await call.message())!.id, result: { action: 'cancel' } }, own)
      await call.rest()
    }
  }, ({ modern }) => Promise.all([1, 2].map(() => modern('tools/call', { name: 'meet', arguments: {}, _meta: meta({ progressToken: 7 }) })))],
  'before-handshake': [({ send }) => send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })],
  'initialize-incomplete': [({ send }) => send({
    jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: LATEST, capabilities: {} }
  })],
  'initialize-with-session': [raw(initialize())],
  'initialize-cancelled': [async ({ legacy }) => (await legacy()).notify('notifications/cancelled', { requestId: 'hello' })],
  'initialized-missing': [async ({ legacy }) => (await legacy({ initialized: false })).call('tools/list')],
  'session-lost': [old('ping', {}, { 'mcp-session-id': undefined })],
  'session-not-renewed': [
    async ({ legacy }) => { const { call, end } = await legacy(); await end(); await tick(); await call('ping') },
    async ({ legacy }) => {
      const { call } = await legacy()
      const stale = { 'mcp-session-id': 'stale' }
      await call('ping', {}, stale)
      await tick()
      await call('ping', {}, stale)
    }
  ],
  'session-not-ended': [async ({ watching, tomorrow }) => {
    (await net.get(await onSocket({}))).close()
    // Until the server has noticed.
    while (watching.report().reduce((sum, client) => sum + client.exchanges, 0) < 3) await new Promise(setImmediate)
    tomorrow()
  }],
  'protocol-version-missing': [
    old('ping', {}, { 'mcp-protocol-version': undefined }),
    young('server/discover', {}, { 'mcp-protocol-version': undefined })
  ],
  'protocol-version-mismatch': [
    old('ping', {}, { 'mcp-protocol-version': '2025-06-18' }),
    old('ping', {}, { 'mcp-protocol-version': '1999-01-01' }),
    young('server/discover', {}, { 'mcp-protocol-version': '2025-11-25' })
  ],
  'version-not-negotiated': [async ({ modern }) => {
    const future = () =>
      modern('server/discover', { _meta: meta({ 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }) }, { 'mcp-protocol-version': '2099-01-01' })
    await future()
    await future()
  }],
  'response-undeclared': [raw({ jsonrpc: '2.0', id: 1, result: {} })],
  'response-malformed': [async () => {
    const own = await onSocket(ABLE)
    const call = await net.post(ask, own)
    const question = await call.message()
    await net.post({ id: question!.id, result: { name: 'Ada' } }, own)
    await call.rest()
  }],
  'request-unanswered': [async ({ watching }) => {
    // The server's own time limit is five minutes, so this one is told to the observer as it would be seen.
    const headers = {
      accept: BOTH,
      'content-type': 'application/json',
      authorization: 'x',
      'mcp-session-id': 's',
      'mcp-protocol-version': LATEST
    }
    watching.record({
      ...EXCHANGE,
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', ...ask }),
      events: [
        JSON.stringify({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: {} }),
        JSON.stringify({ jsonrpc: '2.0', id: 5, result: { content: [], isError: true } })
      ]
    })
  }],
  'notification-undeclared': [async ({ legacy }) => (await legacy({ capabilities: { roots: {} } })).notify('notifications/roots/list_changed')],
  'meta-incomplete': [
    young('server/discover', { _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientInfo': { name: 'a' } } })
  ],
  'client-info-missing': [young('server/discover', { _meta: meta({ 'io.modelcontextprotocol/clientInfo': undefined }) })],
  'capability-undeclared': [young('tasks/get', { taskId: 'x' })],
  'mcp-method-missing': [young('server/discover', {}, { 'mcp-method': undefined })],
  'mcp-method-mismatch': [young('server/discover', {}, { 'mcp-method': 'tools/list' })],
  'mcp-name-missing': [young('tools/call', { name: 'test_simple_text' }, { 'mcp-name': undefined })],
  'mcp-name-mismatch': [young('tools/call', { name: 'test_simple_text' }, { 'mcp-name': 'another' })],
  'mcp-param-wrong': [
    young('tools/call', { name: 'test_x_mcp_header', arguments: { region: 'a' } }),
    young('tools/call', { name: 'test_x_mcp_header', arguments: { region: 'a' } }, { 'mcp-param-region': 'b' })
  ],
  'response-in-modern': [({ send }) => send({ jsonrpc: '2.0', id: 1, result: {} }, { 'mcp-protocol-version': MODERN })],
  'cancelled-in-modern': [({ send }) => send({ jsonrpc: '2.0', method: 'notifications/cancelled' }, { 'mcp-protocol-version': MODERN })],
  'legacy-mechanism': [
    ({ send }) => send(undefined, { 'mcp-protocol-version': MODERN, 'content-type': undefined }, 'GET'),
    young('server/discover', {}, { 'mcp-session-id': 'x' })
  ],
  'input-missing': [async ({ modern }) => { await modern('tools/call', inputTool); await modern('tools/call', inputTool) }],
  'input-required-ignored': [async ({ modern, tomorrow }) => { await modern('tools/call', inputTool); tomorrow() }],
  'request-state-not-echoed': [async ({ modern }) => {
    await modern('tools/call', inputTool)
    await modern('tools/call', { ...inputTool, inputResponses: answers })
  }],
  'request-state-elsewhere': [async ({ modern }) => {
    const { requestState } = (await modern('tools/call', inputTool)).message.result
    await modern('tools/call', { name: 'test_simple_text', arguments: {}, inputResponses: answers, requestState })
  }],
  'retry-id-reused': [async ({ modern }) => {
    const { requestState } = (await modern('tools/call', inputTool, {}, 'same')).message.result
    await modern('tools/call', { ...inputTool, inputResponses: answers, requestState }, {}, 'same')
  }],
  'task-ignored': [async ({ modern, tomorrow }) => {
    await modern('tools/call', {
      name: 'failing_job',
      arguments: {},
      _meta: able({ extensions: { [TASKS]: {} } })
    })
    tomorrow()
  }]
}

/** Until the clock has gone on: what comes in the millisecond of an end may have been under way. */
const tick = async (): Promise<void> => {
  const now = Date.now()
  while (Date.now() <= now + 5) await new Promise((resolve) => setImmediate(resolve))
}

for (const [rule, violations] of Object.entries(VIOLATIONS)) {
  t.test(rule, async (t) => {
    for (const violation of violations) {
      const bench = setUp()
      await violation(bench)
      t.same(rulesIn(bench.watching), [rule])
    }
  })
}

t.test('a finding says what, where, how often and in which request', async (t) => {
  const { legacy, watching } = setUp()
  const { call } = await legacy()
  await call('ping', {}, { accept: 'svc_key_AAAAAAAA' })
  await call('ping', {}, { accept: 'text/html' })
  const { findings } = watching.report()[0]!
  t.match(findings, [{
    rule: 'accept-incomplete',
    level: 'MUST',
    spec: { revision: LATEST, page: 'basic/transports', anchor: 'sending-messages-to-the-server' },
    sentence: /Accept/,
    count: 2,
    first_at: /Z$/,
    last_at: /Z$/,
    request_id: String,
    detail: 'Accept: text/html'
  }])
  await call('ping', {}, { accept: 'svc_key_AAAAAAAA' })
  t.match(watching.report()[0]!.findings[0]!.detail, 'svc_key_[redacted]', 'without secrets')
})

t.test('what is remembered is bounded: of clients, of sessions, and of what is sent in one', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heapBytes = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = heapBytes()
  const watching = createObserver({ onError: t.error })
  for (let n = 0; n < 1000; n++) {
    watching.record({ ...EXCHANGE, credential: `c${n}`, headers: { 'user-agent': `a${n}` }, status: 406 })
  }
  t.equal(watching.report().length, 500)
  const send = (session: string, body: object) => watching.record({
    ...EXCHANGE, headers: { 'user-agent': 'x', 'mcp-session-id': session }, body: JSON.stringify({ jsonrpc: '2.0', ...body })
  })
  const large = 'x'.repeat(100_000)
  for (let id = 0; id < 100; id++) {
    send('s', { id, result: { action: 'accept', content: { x: large } } })
    send('s', { id: `${id} ${large.slice(0, 1000)}`, method: 'ping', params: { _meta: { progressToken: `${id} ${large}` } } })
  }
  for (let n = 0; n < 1500; n++) send(`s${n}`, { id: 1, method: 'ping' })
  t.ok(heapBytes() - before < 10_000_000, `${heapBytes() - before} bytes of 20 million`)
  t.equal(watching.report().length, 500)
})

t.test('every rule has a place and a violation', async (t) => {
  t.same(Object.keys(VIOLATIONS).sort(), Object.keys(CLIENT_RULES).sort())
})
