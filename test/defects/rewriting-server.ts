/** A correct server before which messages are rewritten: the servers of the corpus. */
import { methodOf, type ClientRequest } from '../../src/client-testing/proxy/exchange.js'
import { startProxy, type Interceptor } from '../../src/client-testing/proxy/proxy.js'
import { encodeEvent, headersWithoutBody, type Chunks, type Reply } from '../../src/client-testing/proxy/reply.js'
import { eventsIn } from '../../src/lib/json/event-data.js'
import { parseObject } from '../../src/lib/json/json-object.js'
import { fixture } from '../conformance/fixture.js'

type Json = Record<string, any> // eslint-disable-line @typescript-eslint/no-explicit-any

interface Operation { op: 'add' | 'remove' | 'replace' | 'move', path: string, from?: string, value?: unknown }

interface Edits {
  status?: number
  headers?: Record<string, string | null>
  patch?: Operation[]
  notifications?: Operation[]
  before?: Json[]
  following?: Json[]
  after?: Json[]
  eventId?: string
  encoding?: 'latin1'
  answer?: { status: number, headers?: Record<string, string>, body?: unknown }
}

interface Condition {
  verb?: string
  era?: 'legacy' | 'modern'
  kind?: 'request' | 'notification' | 'response' | 'batch' | 'malformed'
  method?: string[]
  params?: Record<string, unknown>
  headers?: Record<string, string | null>
  status?: number[]
  nth?: number
}

export interface Rewrite { when: Condition, request?: Edits, reply?: Edits }

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** The values at a pointer's parent, and the last name; * stands for each element. */
const placesOf = (root: unknown, path: string): Array<[Json, string]> => {
  const parts = path.split('/').slice(1).map(unescaped)
  const last = parts.pop() ?? ''
  const parents = parts.reduce<unknown[]>((values, part) => values.flatMap((value) => {
    if (typeof value !== 'object' || value === null) return []
    return part === '*' ? Object.values(value) : [(value as Json)[part]]
  }), [root])
  return parents.filter((parent): parent is Json => typeof parent === 'object' && parent !== null)
    .flatMap((parent): Array<[Json, string]> => last === '*' ? Object.keys(parent).map((key) => [parent, key]) : [[parent, last]])
}

const valueAt = (root: unknown, path: string): unknown => {
  const [[parent, name] = [{}, '']] = placesOf(root, path)
  return parent[name]
}

const filled = (value: unknown, words: Record<string, unknown>): unknown => {
  if (typeof value === 'string') {
    const [, only = ''] = /^\{(\w+)\}$/.exec(value) ?? []
    return only in words ? words[only] : value
  }
  if (Array.isArray(value)) return value.map((part) => filled(part, words))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, filled(part, words)]))
}

const patched = (message: Json, operations: readonly Operation[] = [], words: Record<string, unknown>): Json => {
  const copy = structuredClone(message)
  for (const { op, path, from = '', value } of operations) {
    for (const [parent, name] of placesOf(copy, path)) {
      const isThere = Object.hasOwn(parent, name)
      if (op === 'remove' && isThere) Array.isArray(parent) ? parent.splice(Number(name), 1) : delete parent[name]
      if (op === 'add' || (op === 'replace' && isThere)) parent[name] = filled(value, words)
      if (op !== 'move') continue
      parent[name] = valueAt(copy, from)
      for (const [source, last] of placesOf(copy, from)) delete source[last]
    }
  }
  return copy
}

const kindOf = ({ message, body }: ClientRequest): string | undefined => {
  if (message) return message.kind
  const text = body.toString().trim()
  return text === '' ? undefined : text.startsWith('[') ? 'batch' : 'malformed'
}

const bodyOf = ({ body }: ClientRequest): Json => parseObject(body.toString()) ?? {}

const matchesValue = (expected: unknown, value: unknown): boolean => {
  if (expected === null) return value === undefined
  if (Array.isArray(expected)) return expected.includes(value)
  if (typeof expected === 'object' && 'not' in expected) return !(expected.not as unknown[]).includes(value ?? null)
  return expected === value
}

const holds = ({ verb, era, kind, method, params = {}, headers = {} }: Condition, call: ClientRequest): boolean => {
  const body = bodyOf(call)
  return (verb === undefined || verb === call.method) && (era === undefined || era === call.era) &&
    (kind === undefined || kind === kindOf(call)) &&
    (method === undefined || method.includes(methodOf(call) ?? String(body['method']))) &&
    Object.entries(params).every(([path, expected]) => matchesValue(expected, valueAt(body['params'] ?? {}, path))) &&
    Object.entries(headers).every(([name, form]) => {
      const value = call.headers[name]
      return form === null ? value === undefined : value !== undefined && new RegExp(form).test(String(value))
    })
}

/** Rewrites a reply: the response, and the messages around it. */
const rewritten = async (reply: Reply, edits: Edits, words: Record<string, unknown>, id: unknown): Promise<Reply> => {
  if (reply.kind === 'raw') return reply
  const headers = edits.headers ?? {}
  const status = edits.status ?? reply.status
  const withHeaders = (own: Record<string, string>) => Object.fromEntries(Object.entries({
    ...own, ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.replace('{value}', own[name] ?? '') ?? null]))
  }).filter((entry): entry is [string, string] => entry[1] !== null))
  const isResponse = (message: Json) => !('method' in message) && (message['id'] === id || 'error' in message)
  const made = (messages: readonly Json[] = []): Json[] => messages.map((each) => filled(each, words) as Json)
  const change = (message: Json): Json[] => isResponse(message)
    ? [...made(edits.before), patched(message, edits.patch, words), ...made(edits.after)]
    : [patched(message, edits.notifications, words)]
  const encode = (text: string): Buffer => Buffer.from(text, edits.encoding ?? 'utf8')
  const eventOf = (message: Json, own = {}): Buffer => encode(encodeEvent({ ...own, data: JSON.stringify(message) }))
  const asStream = (chunks: Chunks): Reply =>
    ({ kind: 'stream', status, headers: withHeaders({ ...headersWithoutBody(reply), 'content-type': 'text/event-stream' }), chunks })
  if (reply.kind === 'whole') {
    const message = parseObject(reply.body.toString())
    const all = message ? change(message) : []
    if (all.length > 1) return asStream(all.map((each) => eventOf(each)))
    return { ...reply, status, headers: withHeaders({ ...reply.headers }), ...(message && { body: encode(JSON.stringify(all[0])) }) }
  }
  const { chunks } = reply
  return asStream((async function * () {
    let retry: number | undefined
    let isFirst = true
    // A stream of notifications has no response: what comes before it comes at once.
    if (id === undefined) for (const each of made(edits.before)) yield eventOf(each)
    for await (const { id: eventId, data, retry: alone } of eventsIn(chunks)) {
      retry = alone ?? retry
      if (alone !== undefined) continue
      const own = { ...(eventId !== undefined && { id: edits.eventId ?? eventId }), ...(retry !== undefined && { retry }) }
      if (data === '') {
        yield encode(encodeEvent({ ...own, data }))
        continue
      }
      for (const each of change(JSON.parse(data) as Json)) yield eventOf(each, own)
      if (isFirst) for (const each of made(edits.following)) yield eventOf(each)
      isFirst = false
    }
  })())
}

const interceptorOf = (rewrites: readonly Rewrite[]): Interceptor => {
  const counts = new Map<Rewrite, number>()
  return {
    async answer (call, { forward }) {
      const found = rewrites.filter((rewrite) => {
        if (!holds(rewrite.when, call)) return false
        const count = (counts.get(rewrite) ?? 0) + 1
        counts.set(rewrite, count)
        return rewrite.when.nth === undefined || rewrite.when.nth === count
      })
      if (found.length === 0 || !/^\/mcp\/?(?:\?|$)/.test(call.url)) return undefined
      const body = bodyOf(call)
      const { id, method, params = {} } = body
      const words = { id, method, name: params.name ?? params.uri, progressToken: params._meta?.progressToken }
      let sent = body
      let headers: Record<string, string | undefined> = {}
      for (const { request = {} } of found) {
        if (request.answer) {
          const { status, headers: own = {}, body: answered } = request.answer
          return {
            kind: 'whole', status, headers: { ...(answered !== undefined && { 'content-type': 'application/json' }), ...own }, body: answered === undefined ? '' : JSON.stringify(filled(answered, words))
          }
        }
        sent = patched(sent, request.patch, words)
        headers = {
          ...headers,
          ...Object.fromEntries(Object.entries(request.headers ?? {}).map(([name, value]) => [
            name, value === null ? undefined : value === '{ascii}' ? String(call.headers[name]).replaceAll(/[^!-~]/g, '') : filled(value, words) as string | undefined
          ]))
        }
      }
      const isPatched = found.some(({ request }) => request?.patch)
      let reply = await forward({ headers, ...(isPatched && { body: JSON.stringify(sent) }) })
      for (const { when, reply: edits } of found) {
        if (edits && (when.status === undefined || when.status.includes(reply.status))) reply = await rewritten(reply, edits, words, id)
      }
      return reply
    }
  }
}

export interface RewritingServer { url: string, close (): Promise<void> }

/**
 * Starts the correct server with these changes on a free port of 127.0.0.1; without a change it is the correct server
 * itself, behind the same proxy. `correct` is a correct server that runs already.
 */
export const startRewritingServer = async (change: Rewrite | readonly Rewrite[] = [], correct?: URL): Promise<RewritingServer> => {
  const app = correct ? undefined : await fixture({ replyMode: 'sse' })
  const target = correct ?? new URL(`${await app?.listen({ host: '127.0.0.1', port: 0 })}/mcp`)
  const proxy = await startProxy({ target, interceptor: interceptorOf([change].flat()), maxExchanges: 100_000 })
  return {
    url: proxy.url.replace('127.0.0.1', 'localhost'),
    async close () {
      await proxy.close()
      await app?.close()
    }
  }
}
