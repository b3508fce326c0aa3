/** Which requests are misbehaved upon, and how. */
import type { JsonObject } from '../../lib/json/json-object.js'
import { isRequest, methodOf, type ClientRequest } from '../proxy/exchange.js'
import type { Interception } from '../proxy/proxy.js'
import type { Reply, StreamReply, WholeReply } from '../proxy/reply.js'
import type { Misbehaviour } from './profile.js'

const BEFORE_WORK = new Set(['initialize', 'ping', 'server/discover', 'logging/setLevel', 'subscriptions/listen'])

/** Whether a call is a request after the handshake: a list, a call of a tool, a read. */
export const isWork = (call: ClientRequest): boolean =>
  isRequest(call) && !BEFORE_WORK.has(methodOf(call) ?? '')

export const once = (): (() => boolean) => {
  let calls = 0
  return () => calls++ === 0
}

/** Answers each request that fits, instead of the server. `what` is recorded. */
export const answerEach = (
  what: string, fits: (call: ClientRequest) => boolean,
  answer: (call: ClientRequest, turn: Interception) => Reply | Promise<Reply>
): Misbehaviour => ({
  answer (call, turn) {
    if (!fits(call)) return undefined
    turn.inject(what)
    return answer(call, turn)
  }
})

/** Answers the first request after the handshake, in `era` where one is given. */
export const answerOnce = (
  what: string, answer: (call: ClientRequest) => Reply, era?: ClientRequest['era']
): Misbehaviour => {
  const first = once()
  return answerEach(what, (call) => isWork(call) && (era === undefined || call.era === era) && first(), answer)
}

/** Changes replies of the correct server, except where `change` returns undefined. */
export const changeReplies = (
  what: string,
  change: (reply: WholeReply | StreamReply, call: ClientRequest) => Reply | undefined | Promise<Reply | undefined>
): Misbehaviour => ({
  async reply (reply, call, turn) {
    const changed = reply.kind === 'raw' || reply.status !== 200 ? undefined : await change(reply, call)
    if (changed) turn.inject(what)
    return changed ?? reply
  }
})

/** A valid result for the method of a call, with the marker wherever a client would take something up. */
export const markedResult = (call: ClientRequest, marker: string): JsonObject => ({
  ...(call.era === 'modern' && { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }),
  ...RESULTS[methodOf(call) ?? '']?.(marker)
})

const RESULTS: Readonly<Record<string, (marker: string) => JsonObject>> = {
  'tools/list': (name) => ({
    tools: [{ name, description: name, inputSchema: { type: 'object' } }], nextCursor: name
  }),
  'resources/list': (name) => ({ resources: [{ uri: `service://${name}`, name }], nextCursor: name }),
  'resources/templates/list': (name) =>
    ({ resourceTemplates: [{ uriTemplate: `service://${name}/{id}`, name }], nextCursor: name }),
  'prompts/list': (name) => ({ prompts: [{ name }], nextCursor: name }),
  'tools/call': (text) => ({ content: [{ type: 'text', text }] }),
  'resources/read': (text) => ({ contents: [{ uri: `service://${text}`, text }] }),
  'prompts/get': (text) => ({ messages: [{ role: 'user', content: { type: 'text', text } }] })
}
