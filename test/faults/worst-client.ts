/**
 * One credential doing its worst, as a process of its own: everything that costs, from many connections at once, until the time is over.
 * Prints how often which status was answered.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { setMaxListeners } from 'node:events'
import { Agent, request, type Dispatcher } from 'undici'
import { BOTH, meta, MODERN, modernRequest } from '../helpers/build.js'

interface Task {
  url: string
  key: string
  workspaces: string[]
  explorations: string[]
  words: string[]
  seconds: number
}

const { url, key, workspaces, explorations, words, seconds } = JSON.parse(process.argv[2] ?? '{}') as Task

const BATCHED = '2025-03-26'
const RESUMED = '2025-11-25'
const AT_ONCE = 6
// Who is refused tries again soon.
const PAUSE_MS = 20
const LEAVE_MS = 30
const QUERY_LENGTH = 300

const agent = new Agent({ connections: 512, headersTimeout: 60_000, bodyTimeout: 0 })
const over = AbortSignal.timeout(seconds * 1000)
setMaxListeners(0, over)
const counts: Record<string, number> = {}
const common = { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: BOTH }
const count = (what: string | number): void => { counts[what] = (counts[what] ?? 0) + 1 }

let number = 0
const any = (list: readonly string[]): string => list[number++ % list.length] ?? ''
const sentence = (length: number): string => {
  let text = ''
  while (text.length < length) text += `${words[(number += 7) % words.length]} `
  return text.slice(0, length).trim()
}

/** A stream is read and kept open until the end. */
const send = async (
  method: Dispatcher.HttpMethod, headers: Record<string, string>, body?: string, streams = false
): Promise<{ status: number, session: string }> => {
  const reply = await request(`${url}/mcp`, {
    method, dispatcher: agent, headers: { ...common, ...headers }, signal: over, ...body !== undefined && { body }
  })
  count(reply.statusCode)
  if (streams && reply.statusCode === 200) reply.body.on('error', () => {}).resume()
  else await reply.body.text()
  return { status: reply.statusCode, session: String(reply.headers['mcp-session-id']) }
}

const modern = (method: string, params: Record<string, unknown>, streams = false) => {
  const { headers, body } = modernRequest(key, method, params, ++number)
  return send('POST', headers, body, streams)
}

const legacy = (session: string, body: unknown, streams = false) =>
  send('POST', { 'mcp-session-id': session }, JSON.stringify(body), streams)

const sessions: Record<string, string> = {}
const sessionOf = async (protocolVersion: string): Promise<string> => {
  for (;;) {
    const known = sessions[protocolVersion]
    if (known !== undefined) return known
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'worst', version: '1' } }
    const { status, session } = await send('POST', {}, JSON.stringify({
      jsonrpc: '2.0', id: 0, method: 'initialize', params
    }))
    if (status === 200) sessions[protocolVersion] = session
    else await sleep(PAUSE_MS)
  }
}

const uriOf = (id: string): string => `service://exploration/${id}`
/** The same URI, with another of its characters written as its number. */
const spelled = (id: string, at: number): string =>
  uriOf(`${id.slice(0, at)}%${id.charCodeAt(at).toString(16)}${id.slice(at + 1)}`)

const find = (query: string) => ({ name: 'find_explorations', arguments: { query, limit: 50 } })
const search = (query: string) => modern('tools/call', find(query))
const read = (uri: string) => modern('resources/read', { uri })
const complete = (uri: string, name: string, value: string) =>
  modern('completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name, value } })
const listen = (resourceSubscriptions: string[]) =>
  modern('subscriptions/listen', { notifications: { resourcesListChanged: true, resourceSubscriptions } }, true)
const large = (length: number) => send('POST', { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' },
  `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":${JSON.stringify(meta())},"x":[${'{},'.repeat(length / 3)}{}]}}`)

/** Each is done by some connections at once, again and again. */
const WAYS: Record<string, () => Promise<unknown>> = {
  search: () => search(sentence(QUERY_LENGTH)),
  'longer search': () => search(sentence(1000)),
  'quoted search': () => search(Array.from({ length: 20 }, () => `"${any(words)} ${any(words)}"`).join(' ').slice(0, QUERY_LENGTH)),
  'search of common words': () => search(words.slice(0, 60).join(' ').slice(0, QUERY_LENGTH)),
  'read of a workspace': () => read(`service://workspace/${any(workspaces)}/explorations`),
  'read of an exploration': () => read(uriOf(any(explorations))),
  listen: () => listen(explorations.slice(number % 1000, number++ % 1000 + 100).map(uriOf)),
  'listen to one in many spellings': () => listen(Array.from({ length: 100 }, (_, at) => spelled(explorations[Math.floor(at / 36)] ?? '', at % 36))),
  'completion of types': () => complete('service://exploration/{explorationId}/artifact/{artifactType}', 'artifactType', ''),
  'completion of ids': () => complete('service://exploration/{explorationId}', 'explorationId', ''),
  replay: async () => send('GET', { 'mcp-session-id': await sessionOf(RESUMED), accept: 'text/event-stream', 'last-event-id': 'l-x:0.0' }, undefined, true),
  'large body': () => large(120_000),
  'larger body': () => large(1_000_000),
  batch: async () => legacy(await sessionOf(BATCHED), Array.from({ length: 50 }, (_, id) => (
    { jsonrpc: '2.0', id: id + 1, method: 'tools/call', params: find(sentence(QUERY_LENGTH)) }))),
  'streamed search': async () => {
    const params = { ...find(sentence(QUERY_LENGTH)), _meta: { progressToken: ++number } }
    return legacy(await sessionOf(RESUMED), { jsonrpc: '2.0', id: number, method: 'tools/call', params })
  },
  'search, and leave': async () => {
    const options = { dispatcher: agent, signal: AbortSignal.timeout(LEAVE_MS), ...modernRequest(key, 'tools/call', find(sentence(QUERY_LENGTH))) }
    const reply = await request(`${url}/mcp`, options).catch(() => undefined)
    await reply?.body.dump().catch(() => {})
    count('left')
  },
  'other methods': () => send(any(['DELETE', 'HEAD', 'OPTIONS', 'PUT', 'GET']) as Dispatcher.HttpMethod, {})
}

await Promise.all(Object.values(WAYS).flatMap((way) => Array.from({ length: AT_ONCE }, async () => {
  while (!over.aborted) {
    await way().catch(() => count('failed'))
    // Most are refused before long: what is measured is not how many refusals a second there can be.
    await sleep(PAUSE_MS)
  }
})))
console.log(JSON.stringify(counts))
process.exit(0)
