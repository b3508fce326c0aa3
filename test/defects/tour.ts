/** Requests in which each defect of the servers of the corpus shows: what a grader has to ask at least. */
import { BOTH, MODERN, meta, modernRequest } from '../helpers/build.js'

interface TourRequest {
  method?: string
  headers?: Record<string, string>
  body?: unknown
  /** How many events a correct server has on a stream that stays open. */
  events?: number
}

const ABLE = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} }, roots: {}, sampling: {} } }
const TASKS = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } } }
/** For events that a correct server sends; then no more may come. */
const WAIT_MS = 5000
const SILENCE_MS = 150

const asked = (method: string, params: Record<string, unknown> = {}, over: Record<string, string> = {}): TourRequest => {
  const { headers, body } = modernRequest(undefined, method, params, 7)
  return { headers: { ...headers, ...over }, body: JSON.parse(body) as unknown }
}
const called = (
  name: string, args: object = {}, extra: Record<string, unknown> = {}, over: Record<string, string> = {}, more: object = {}
): TourRequest =>
  asked('tools/call', { name, arguments: args, _meta: meta(extra), ...more }, over)

const MODERN_TOUR: readonly TourRequest[] = [
  asked('server/discover'), asked('tools/list'), asked('tools/list'), asked('prompts/list'), asked('resources/list'), asked('no/such/method'),
  called('test_simple_text'), called('test_tool_with_progress'), called('test_tool_with_progress', {}, { progressToken: 'p1' }),
  called('test_missing_capability'), called('test_logging_tool'), called('greet', { name: 7 }), called('test_error_handling'), called('no_such_tool'),
  called('test_simple_text', {}, {}, { 'mcp-name': 'greet' }), called('test_simple_text', {}, {}, { 'mcp-name': '=?base64?dGVzdF9zaW1wbGVfdGV4dA==?=' }),
  called('test_x_mcp_header', {}, {}, { 'mcp-param-region': 'north' }),
  asked('tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }),
  asked('tools/list', { _meta: meta({ 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }) }, { 'mcp-protocol-version': '2099-01-01' }),
  asked('tools/list', { _meta: undefined }), asked('tools/list', {}, { origin: 'https://evil.example' }),
  { headers: { 'mcp-protocol-version': MODERN }, body: { jsonrpc: '2.0', id: 9, result: {} } },
  asked('resources/read', { uri: 'test://static-text' }), asked('resources/read', { uri: 'test://static-binary' }), asked('resources/read', { uri: 'test://nothing' }),
  asked('completion/complete', { ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' }, argument: { name: 'arg1', value: '' } }),
  called('test_input_required_result_elicitation', {}, ABLE), called('test_input_required_result_capabilities', {}, {
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } }
  }),
  called('test_input_required_result_tampered_state', {}, ABLE, {}, { requestState: 'tampered', inputResponses: { confirm: { action: 'accept', content: { name: 'Ada' } } } }),
  asked('tasks/get', { taskId: 'nothing', _meta: meta(TASKS) }, { 'mcp-name': 'nothing' }), asked('tasks/cancel', { taskId: 'nothing', _meta: meta(TASKS) }, { 'mcp-name': 'nothing' }),
  asked('skills/list'), asked('skills/get', { uri: 'skill://nothing/SKILL.md' }), asked('resources/directory/read', { uri: 'skill://fill-in-forms' }),
  { ...asked('subscriptions/listen', { notifications: { toolsListChanged: true } }), events: 1 }
]

const legacy = (method: string, params: object = {}, id = 5) => ({ jsonrpc: '2.0', id, method, params })
const hello = (protocolVersion: string) => legacy('initialize', { protocolVersion, capabilities: { elicitation: {} }, clientInfo: { name: 'tour', version: '1' } }, 1)
const BATCH = [legacy('ping', {}, 21), legacy('ping', {}, 22)]

/** In the session of a revision. */
const LEGACY_TOUR: readonly TourRequest[] = [
  { body: { jsonrpc: '2.0', method: 'notifications/initialized' } }, { body: legacy('ping') }, { body: legacy('tools/list') },
  { body: legacy('tools/call', { name: 'test_tool_with_progress', arguments: {}, _meta: { progressToken: 'p1' } }) },
  { body: legacy('tools/call', { name: 'test_elicitation', arguments: { message: 'Who?' } }), events: 2 },
  { body: legacy('tools/call', { name: 'test_simple_text', arguments: {} }) },
  { body: legacy('tools/call', { name: 'test_simple_text', arguments: {}, task: { ttl: 1000 } }) },
  { method: 'GET', events: 1 }, { body: { nothing: true } }, { body: BATCH }, { body: legacy('tools/list'), headers: { 'mcp-protocol-version': '1999-01-01' } },
  { method: 'DELETE' }, { body: legacy('tools/list') }
]

// Such as `: keep-alive`, every 15 seconds on whatever stream is open.
const COMMENTS = /^:[^\n]*\n\n/gm

// What differs from run to run.
const VOLATILE: ReadonlyArray<[RegExp, string]> = [
  [/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID'], [/localhost:\d+/g, 'HOST'], [/"(requestState|nextCursor)":"[^"]*"/g, '"$1":"…"'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME']
]

const send = async (url: string, { method = 'POST', headers = {}, body, events }: TourRequest) => {
  const stop = new AbortController()
  const reply = await fetch(url, {
    method,
    headers: { accept: method === 'GET' ? 'text/event-stream' : BOTH, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: stop.signal
  })
  let text = ''
  if (events === undefined) {
    text = Buffer.from(await reply.arrayBuffer()).toString().replaceAll(COMMENTS, '')
  } else if (reply.body) {
    let timer = setTimeout(() => stop.abort(), WAIT_MS)
    try {
      for await (const chunk of reply.body) {
        const before = text
        text = (text + Buffer.from(chunk).toString()).replaceAll(COMMENTS, '')
        if (text === before || text.split('\n\n').length <= events) continue
        clearTimeout(timer)
        timer = setTimeout(() => stop.abort(), SILENCE_MS)
      }
    } catch {
      // Nothing more came.
    }
    clearTimeout(timer)
    stop.abort()
  }
  const session = reply.headers.get('mcp-session-id')
  const line = [reply.status, reply.headers.get('content-type'), session === null ? '' : /^[!-~]+$/.test(session), text].join(' ')
  const ids: string[] = []
  const numbered = line.replaceAll(/(?<=^|\n| )id: [^\n]*/g, (id) => {
    if (!ids.includes(id)) ids.push(id)
    return `id: ${ids.indexOf(id)}`
  })
  return { session, line: VOLATILE.reduce((all, [form, word]) => all.replace(form, word), numbered) }
}

/** What a server answers to each request of an era, without what differs from run to run. */
export const tour = async function * (url: string, era: 'legacy' | 'modern'): AsyncGenerator<string> {
  if (era === 'modern') {
    for (const request of MODERN_TOUR) yield (await send(url, request)).line
    return
  }
  yield (await send(url, { body: legacy('tools/list') })).line
  yield (await send(url, { body: hello('1999-01-01') })).line
  const sessions: ReadonlyArray<[string, readonly TourRequest[]]> = [['2025-11-25', LEGACY_TOUR], ['2025-03-26', [{ body: BATCH }]]]
  for (const [revision, requests] of sessions) {
    const { session, line } = await send(url, { body: hello(revision) })
    yield line
    const own = { ...(session !== null && { 'mcp-session-id': session }), 'mcp-protocol-version': revision }
    for (const request of requests) yield (await send(url, { ...request, headers: { ...own, ...request.headers } })).line
  }
}
