/** A recording as a server: it answers the same requests by the same replies, and notes what the recording has not. */
import { setTimeout as sleep } from 'node:timers/promises'
import { asObject, isObject } from '../../lib/json/json-object.js'
import type { ClientRequest } from '../proxy/exchange.js'
import { startProxy } from '../proxy/proxy.js'
import { encodeEvent, jsonReply, streamReply, textReply, type ReplyHeaders, type Reply } from '../proxy/reply.js'
import { createRedactor } from '../redact.js'
import type { SafeExchange } from '../reports/report.js'
import { canonical } from './compare.js'

export type ReplayServer = Awaited<ReturnType<typeof startReplayServer>>

const MAX_PAUSE_MS = 30_000
/** Headers that belong to one connection or one body, or that a recording does not have. */
const LEFT_OUT = new Set([
  'content-length', 'transfer-encoding', 'connection', 'date', 'keep-alive', 'content-encoding', 'set-cookie'
])

/** It accepts every credential. A `speed` of 2 is twice as fast as recorded; Infinity is without pauses. */
export const startReplayServer = async (
  { exchanges, speed }: { exchanges: readonly SafeExchange[], speed: number }
) => {
  const byKey = new Map<string, SafeExchange[]>()
  for (const exchange of exchanges) {
    const key = requestKey(exchange.method, exchange.body)
    byKey.set(key, [...(byKey.get(key) ?? []), exchange])
  }
  const replayed = new Map<number, number>()
  const beyond: ClientRequest[] = []

  /** The first that was not replayed yet; when all were, the last. */
  const find = (call: ClientRequest): SafeExchange | undefined => {
    const fitting = byKey.get(requestKey(call.method, redactedBody(call))) ?? []
    return fitting.find(({ number }) => !replayed.has(number)) ?? fitting.at(-1)
  }

  const answer = async (call: ClientRequest): Promise<Reply> => {
    const recorded = find(call)
    if (!recorded || recorded.truncated) {
      beyond.push(call)
      return refusalOf(call, recorded !== undefined)
    }
    replayed.set(recorded.number, (replayed.get(recorded.number) ?? 0) + 1)
    return replyFrom(recorded, call, (ms) =>
      sleep(Math.min(ms / speed, MAX_PAUSE_MS), undefined, { signal: call.signal }).catch(() => {})
    )
  }

  const proxy = await startProxy({ target: new URL('http://127.0.0.1:9'), interceptor: { answer } })
  return { ...proxy, replayed, beyond }
}

const refusalOf = ({ method, message }: ClientRequest, isTruncated: boolean): Reply => {
  const why = isTruncated
    ? 'The recording has only a part of this reply.'
    : 'The recording has no reply to this request.'
  if (method !== 'POST') return textReply(405, 'text/plain', why, { allow: 'POST' })
  if (message?.kind !== 'request') return textReply(202, 'text/plain', '')
  return jsonReply({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: why } })
}

const replyFrom = async (
  recorded: SafeExchange, call: ClientRequest, pause: (ms: number) => Promise<unknown>
): Promise<Reply> => {
  const { status, reply_headers: headers, reply, events, duration_ms: duration } = recorded
  const safeHeaders: ReplyHeaders = Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => !LEFT_OUT.has(name) && value !== '[redacted]')
  )
  const own = ownIds(recorded.body, call)
  if (events === undefined) {
    await pause(duration)
    const body = reply === undefined ? '' : typeof reply === 'string' ? reply : JSON.stringify(own(reply))
    return { kind: 'whole', status, headers: safeHeaders, body }
  }
  return streamReply((async function * () {
    for (const event of events) {
      await pause(duration / events.length)
      yield encodeEvent({ event: 'message', data: typeof event === 'string' ? event : JSON.stringify(own(event)) })
    }
  })(), { headers: safeHeaders })
}

/** Puts the ids and progress tokens of this call instead of those of the recording. */
const ownIds = (recorded: unknown, call: ClientRequest): ((value: unknown) => unknown) => {
  const now = [redactedBody(call)].flat()
  const pairs = (part: (message: unknown) => unknown) =>
    new Map([recorded].flat().map((message, index) => [JSON.stringify(part(message)), part(now[index])]))
  const [ids, tokens] = [pairs(idIn), pairs(tokenIn)]
  const change = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(change)
    if (!isObject(value)) return value
    if (!('method' in value)) {
      const id = ids.get(JSON.stringify(value['id']))
      return id === undefined ? value : { ...value, id }
    }
    const { params } = value
    const token = isObject(params) ? tokens.get(JSON.stringify(params['progressToken'])) : undefined
    return token === undefined || !isObject(params) ? value : { ...value, params: { ...params, progressToken: token } }
  }
  return change
}

const idIn = (message: unknown): unknown => asObject(message)['id']
const tokenIn = (message: unknown): unknown =>
  asObject(asObject(asObject(message)['params'])['_meta'])['progressToken']

/** The same text for requests that ask the same: without ids, tokens of progress and metadata. */
const requestKey = (method: string, body: unknown): string => canonical([method, ...[body].flat().map(messageKey)])

const messageKey = (message: unknown): unknown => {
  if (!isObject(message)) return message ?? null
  const { method, params, id } = message
  if (typeof method !== 'string') return ['response', id]
  if (method === 'initialize') return ['initialize']
  const { _meta: _, ...rest } = asObject(params)
  return [method, id === undefined ? 'notification' : 'request', rest]
}

const redactor = createRedactor()

/** The body of a call, redacted as that of the recording, so that the two can be compared. */
const redactedBody = ({ body }: ClientRequest): unknown =>
  redactor.body(body.length > 0 ? body.toString() : undefined)
