/** Which requests are misbehaved upon, and what stands in the replies that a client must not use. */
import type { JsonObject } from '../../lib/json/json-object.js'
import type { ClientRequest } from '../proxy/client-request.js'
import type { Reply } from '../proxy/reply.js'
import type { Evidence, Judgement, Misbehaviour } from './profile.js'

const BEFORE_WORK = new Set(['initialize', 'ping', 'server/discover', 'logging/setLevel', 'subscriptions/listen'])

/** Whether a call is a request after the handshake: a list, a call of a tool, a read. */
export const isWork = ({ message }: Pick<ClientRequest, 'message'>): boolean =>
  message?.kind === 'request' && !BEFORE_WORK.has(message.method)

/** The name of each list's field. */
export const LISTS: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts'
}

/** Whether a call asks for a list that has pages. */
export const isList = ({ message }: Pick<ClientRequest, 'message'>): boolean =>
  message?.kind === 'request' && message.method in LISTS

/** Creates a function that returns true on its first call. */
export const once = (): (() => boolean) => {
  let done = false
  return () => {
    if (done) return false
    done = true
    return true
  }
}

/**
 * Creates a misbehaviour that happens once: `answer` replies to the first request after the handshake, in `era` where
 * one is given. `what` is recorded.
 */
export const answerOnce = (
  what: string,
  answer: (call: ClientRequest) => Reply,
  judge: (evidence: Evidence) => Judgement,
  era?: ClientRequest['era']
): Misbehaviour => {
  const first = once()
  return {
    answer (call, interception) {
      if (!isWork(call) || (era !== undefined && call.era !== era) || !first()) return undefined
      interception.inject(what)
      return answer(call)
    },
    judge
  }
}

/** Creates a valid result for the method of a call, with the marker wherever a client would take something up. */
export const markedResult = ({ message, era }: Pick<ClientRequest, 'message' | 'era'>, marker: string): JsonObject => {
  const method = message && 'method' in message ? message.method : ''
  return {
    ...(era === 'modern' && { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }),
    ...resultFor(method, marker)
  }
}

const resultFor = (method: string, marker: string): JsonObject => {
  switch (method) {
    case 'tools/list':
      return { tools: [{ name: marker, description: marker, inputSchema: { type: 'object' } }], nextCursor: marker }
    case 'resources/list':
      return { resources: [{ uri: `service://${marker}`, name: marker }], nextCursor: marker }
    case 'resources/templates/list':
      return { resourceTemplates: [{ uriTemplate: `service://${marker}/{id}`, name: marker }], nextCursor: marker }
    case 'prompts/list':
      return { prompts: [{ name: marker }], nextCursor: marker }
    case 'tools/call':
      return { content: [{ type: 'text', text: marker }] }
    case 'resources/read':
      return { contents: [{ uri: `service://${marker}`, text: marker }] }
    case 'prompts/get':
      return { messages: [{ role: 'user', content: { type: 'text', text: marker } }] }
    default:
      return {}
  }
}
