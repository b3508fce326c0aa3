/** Which requests are misbehaved upon, how, and what stands in the replies that a client must not use. */
import type { JsonObject } from '../../lib/json/json-object.js'
import { idOf, isRequest, methodOf, type ClientRequest } from '../proxy/client-request.js'
import type { Interception } from '../proxy/proxy.js'
import type { Reply, StreamReply, WholeReply } from '../proxy/reply.js'
import type { Misbehaviour, Profile } from './profile.js'

const BEFORE_WORK = new Set(['initialize', 'ping', 'server/discover', 'logging/setLevel', 'subscriptions/listen'])

/** Whether a call is a request after the handshake: a list, a call of a tool, a read. */
export const isWork = (call: Pick<ClientRequest, 'message'>): boolean =>
  isRequest(call) && !BEFORE_WORK.has(methodOf(call) ?? '')

/** The name of each list's field. */
export const LISTS: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts'
}

/** Creates a function that returns true on its first call. */
export const once = (): (() => boolean) => {
  let done = false
  return () => {
    const isFirst = !done
    done = true
    return isFirst
  }
}

/** Creates a misbehaviour that answers each request that fits, instead of the server. `what` is recorded. */
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

/** The same, once: it answers the first request after the handshake, in `era` where one is given. */
export const answerOnce = (
  what: string, answer: (call: ClientRequest) => Reply, era?: ClientRequest['era']
): Misbehaviour => {
  const first = once()
  return answerEach(what, (call) => isWork(call) && (era === undefined || call.era === era) && first(), answer)
}

/** Creates a misbehaviour that changes replies of the correct server, except where `change` returns undefined. */
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

export interface MarkedResponse { jsonrpc: '2.0', id: string | number, result: JsonObject }

/**
 * Creates a misbehaviour of one reply that the client has to refuse: `make` gets a response whose result has the
 * marker wherever a client would take something up.
 */
export const replaceFirstResult = (
  what: string, make: (response: MarkedResponse, call: ClientRequest) => Reply
): Profile['create'] => ({ marker }) => answerOnce(what, (call) =>
  make({ jsonrpc: '2.0', id: idOf(call) ?? '', result: markedResult(call, marker) }, call))

/** Creates a valid result for the method of a call, with the marker wherever a client would take something up. */
export const markedResult = (call: Pick<ClientRequest, 'message' | 'era'>, marker: string): JsonObject => ({
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
