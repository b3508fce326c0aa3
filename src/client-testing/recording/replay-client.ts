/** Sends the requests of a recording to a server and compares the replies. */
import { messageOf } from '../../lib/error-code.js'
import { isObject, type JsonObject } from '../../lib/json/json-object.js'
import { createClientRequest } from '../proxy/exchange.js'
import { createForwarder } from '../proxy/forward.js'
import { isResponseTo, messagesOf, type Reply } from '../proxy/reply.js'
import { createRedactor, type Redactor } from '../redact.js'
import type { Check, SafeExchange } from '../reports/report.js'
import { differencesOf, mapVolatile, VOLATILE_FIELDS } from './compare.js'
import { exchangeCheck } from './replay-checks.js'

const SESSION = 'mcp-session-id'
const SENT = new Set([
  'accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'user-agent', 'last-event-id'
])
const TIMEOUT_MS = 30_000
const MAX_MESSAGES = 1000

/** One check for each recorded exchange. Requests are sent one after the other, in the order of the recording. */
export const replayToServer = async ({ exchanges, target, token, signal }: {
  exchanges: readonly SafeExchange[], target: URL, token: string | undefined, signal: AbortSignal
}): Promise<Check[]> => {
  const forwarder = createForwarder(target, token === undefined ? {} : { authorization: `Bearer ${token}` })
  const redactor = createRedactor(token === undefined ? [] : [token])
  /** Values of the recording → values of this server: session ids, cursors, tasks. */
  const values = new Map<string, string>()

  const replayOne = async (recorded: SafeExchange): Promise<Check> => {
    const skipReason = reasonToSkip(recorded)
    if (skipReason !== undefined) return toCheck(recorded, 'not-exercised', 'not compared', skipReason)
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const body = recorded.body === undefined
      ? ''
      : JSON.stringify(mapVolatile(recorded.body, (part) => values.get(part) ?? part))
    const headers = Object.fromEntries(Object.entries(recorded.headers)
      .filter(([name]) => name === SESSION || SENT.has(name) || name.startsWith('mcp-param-'))
      .map(([name, value]) => [name, name === SESSION ? values.get(value) ?? value : value]))
    const { number, method } = recorded
    const call =
      createClientRequest({ number, method, url: '/mcp', headers, body: Buffer.from(body), signal: bounded })
    try {
      const reply = await forwarder.send(call)
      const live = await messagesIn(reply, recorded.body)
      learn(recorded, reply, live, values)
      const differences = compareExchange(recorded, reply, live, redactor)
      return differences.length === 0
        ? toCheck(recorded, 'passed', 'same', '')
        : toCheck(recorded, 'failed', 'differs', redactor.text(differences.join('\n')))
    } catch (error) {
      const why = bounded.aborted ? `No complete reply within ${TIMEOUT_MS / 1000} s.` : messageOf(error)
      return toCheck(recorded, 'failed', 'no reply', redactor.text(why))
    }
  }

  const checks: Check[] = []
  try {
    for (const recorded of exchanges) {
      if (signal.aborted) break
      checks.push(await replayOne(recorded))
    }
  } finally {
    forwarder.close()
  }
  return checks
}

const reasonToSkip = ({ method, truncated, body }: SafeExchange): string | undefined => {
  if (method === 'GET') return 'A stream of GET has what happens while it is open.'
  if (truncated) return 'The recording has only a part of the reply.'
  return JSON.stringify(body)?.includes('[redacted]') === true && !isObject(body)
    ? 'The recording has no body that could be sent.'
    : undefined
}

/** The messages of a reply, without progress and logs; of a stream, until the response. */
const messagesIn = async (reply: Reply, request: unknown): Promise<JsonObject[]> => {
  const messages: JsonObject[] = []
  if (reply.kind === 'whole' && reply.body.length > 0) {
    try {
      const value: unknown = JSON.parse(reply.body.toString())
      return [value].flat().filter(isObject)
    } catch {
      return [{ text: reply.body.toString().slice(0, 2000) }]
    }
  }
  for await (const message of messagesOf(reply)) {
    if (counts(message)) messages.push(message)
    if (messages.length >= MAX_MESSAGES || (isObject(request) && isResponseTo(message, request['id']))) break
  }
  return messages
}

const counts = ({ method }: JsonObject): boolean =>
  method !== 'notifications/progress' && method !== 'notifications/message'

const recordedMessages = ({ reply, events }: SafeExchange): unknown[] =>
  events?.filter((event) => isObject(event) && counts(event)) ?? (reply === undefined ? [] : [reply].flat())

const compareExchange = (
  recorded: SafeExchange, reply: Reply, live: readonly JsonObject[], redactor: Redactor
): string[] => {
  if (reply.kind === 'raw') return []
  const differences: string[] = []
  if (recorded.status !== reply.status) {
    differences.push(`status: ${recorded.status} was recorded, now it is ${reply.status}`)
  }
  const [was, is] = [recorded.reply_headers['content-type'], reply.headers['content-type']].map(
    (type) => type?.split(';')[0]?.trim() ?? 'none'
  )
  if (was !== is) differences.push(`media type: ${was} was recorded, now it is ${is}`)
  const messages = recordedMessages(recorded).map((message) =>
    typeof message === 'string' ? { text: message.slice(0, 2000) } : message
  )
  const safe = live.map((message) => redactor.reply(JSON.stringify(message)))
  const areSingle = messages.length === 1 && safe.length === 1
  return [...differences, ...areSingle ? differencesOf(messages[0], safe[0]) : differencesOf(messages, safe)]
}

/** Remembers what this server says instead of what was recorded. */
const learn = (
  recorded: SafeExchange, reply: Reply, live: readonly JsonObject[], values: Map<string, string>
): void => {
  const session = reply.kind === 'raw' ? undefined : reply.headers[SESSION]
  const before = recorded.reply_headers[SESSION]
  if (session !== undefined && before !== undefined) values.set(before, session)
  const pair = (one: unknown, other: unknown): void => {
    if (Array.isArray(one) && Array.isArray(other)) one.forEach((part, index) => pair(part, other[index]))
    if (!isObject(one) || !isObject(other)) return
    for (const [key, part] of Object.entries(one)) {
      const now = other[key]
      if (VOLATILE_FIELDS.has(key) && typeof part === 'string' && typeof now === 'string') values.set(part, now)
      else pair(part, now)
    }
  }
  pair(recordedMessages(recorded), live)
}

const toCheck = (recorded: SafeExchange, status: Check['status'], outcome: string, detail: string): Check =>
  exchangeCheck(recorded, (name) => `The reply to exchange ${recorded.number} (${name}) is the recorded one.`,
    { status, outcome, detail, exchanges: status === 'failed' ? [recorded] : [] })
