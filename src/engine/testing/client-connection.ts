/** The conversation of a test client with its server: the handshake, requests, answers, and the stream of changes. */
import { isObject, type JsonObject } from '../../lib/json/json-object.js'
import type { InputRequest } from '../request-context.js'
import { isModernRevision, type Revision } from '../revisions.js'
import { ClientChannel, CLIENT_INFO, type Agreed, type ClientMessage } from './client-channel.js'
import type { HttpReply, InjectableApp, ServerMessage } from './in-process-http.js'
import type {
  TestClientOptions, TestNotification, TestRequestOptions, TestSubscription
} from './test-client-options.js'

/** A request that the server refused: with a JSON-RPC error, or with a status alone. */
export class TestClientError extends Error {
  /** @param code of JSON-RPC; the HTTP status where the reply has none */
  constructor (message: string, readonly code: number, readonly status: number, readonly data?: JsonObject) {
    super(message)
    this.name = 'TestClientError'
  }
}

const MAX_ROUNDS = 100
/** What a client that answers declares: forms and addresses, its model with tools, roots. */
const ANSWERS = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }

/** Connects, which in the older revisions is a handshake: 2025-11-25 basic/lifecycle#initialization. */
export const connectClient = async (app: InjectableApp, options: TestClientOptions): Promise<ClientConnection> => {
  const { revision = '2026-07-28', answer } = options
  const capabilities = { ...answer && ANSWERS, ...options.capabilities }
  const connection = (agreed: Agreed) =>
    new ClientConnection(agreed.revision ?? revision, new ClientChannel(app, options, agreed), answer)
  if (isModernRevision(revision)) return connection({ revision, capabilities })
  const params = { protocolVersion: revision, capabilities, clientInfo: CLIENT_INFO }
  const { result, headers: { 'mcp-session-id': id } } = await connection({}).exchange('initialize', params)
  // The server may have chosen another one that it serves.
  const agreed = result['protocolVersion'] as Revision
  const opened = connection({ revision: agreed, session: typeof id === 'string' ? id : undefined })
  await opened.post({ method: 'notifications/initialized' })
  return opened
}

interface Answered { result: JsonObject, headers: HttpReply['headers'] }

export class ClientConnection {
  readonly #closing = new AbortController()
  readonly #open = new Set<Promise<Answered>>()
  #lastId = 0

  constructor (
    readonly revision: Revision, private readonly channel: ClientChannel,
    private readonly answerOf: TestClientOptions['answer']
  ) {}

  /** Sends a request, and answers the rounds of input that it takes. */
  async request (
    method: string, params: JsonObject, options?: TestRequestOptions, headers?: Record<string, string>
  ): Promise<JsonObject> {
    let round = params
    for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
      const { result } = await this.exchange(method, round, options, headers)
      if (result['resultType'] !== 'input_required') return result
      // 2026-07-28 basic/patterns/mrtr: the same request once more, with what was asked for
      const { inputRequests, requestState } = result
      round = { ...params, inputResponses: await this.#answerAll(inputRequests), requestState }
    }
    throw new Error(`${method} asked for input ${MAX_ROUNDS} times.`)
  }

  /** Sends a request and resolves with its result and the headers of the reply: one round. */
  async exchange (
    method: string, params: JsonObject, options: TestRequestOptions = {}, headers: Record<string, string> = {}
  ): Promise<Answered> {
    this.#closing.signal.throwIfAborted()
    const work = this.#exchange({ id: ++this.#lastId, method, params }, options, headers)
    this.#open.add(work)
    return await work.finally(() => this.#open.delete(work))
  }

  /** Sends what has no response: a notification, or the response to a request of the server. */
  async post (message: ClientMessage): Promise<void> {
    const reply = await this.channel.post(message, new AbortController().signal)
    for await (const refusal of reply.messages) if (refusal.message) resultOf(refusal.message, reply)
  }

  /** Opens the stream of changes. Resolves when the server listens. */
  async listen (to: TestSubscription): Promise<AsyncGenerator<TestNotification, void, void>> {
    const left = new AbortController()
    const signal = AbortSignal.any([this.#closing.signal, left.signal])
    const reply = await this.#openStream(to, signal)
    const notifications = this.#notificationsOf(reply, signal)
    // The first is the acknowledgement, where there is one: 2026-07-28 basic/patterns/subscriptions
    if (isModernRevision(this.revision) || reply.status !== 200) await notifications.next()
    return Object.assign(notifications, {
      return: async () => {
        left.abort()
        return { done: true as const, value: undefined }
      }
    })
  }

  async close (): Promise<void> {
    this.#closing.abort(new Error('The test client is closed.'))
    await Promise.allSettled(this.#open)
    if (this.channel.hasSession) await this.channel.delete()
  }

  async #exchange (
    request: ClientMessage & { id: number }, { onNotification, signal }: TestRequestOptions,
    headers: Record<string, string>
  ): Promise<Answered> {
    const ended = AbortSignal.any(signal ? [this.#closing.signal, signal] : [this.#closing.signal])
    ended.throwIfAborted()
    try {
      const reply = await this.channel.post(request, ended, headers)
      for await (const message of this.#messagesOf(reply, ended)) {
        if (message.method !== undefined) await this.#receive(message, message.method, onNotification)
        else return { result: resultOf(message, reply), headers: reply.headers }
      }
      throw new TestClientError(`${request.method} got no response.`, reply.status, reply.status)
    } catch (error) {
      if (!ended.aborted) throw error
      // Where a lost connection does not cancel, a message does: 2025-11-25 basic/utilities/cancellation
      const cancelled = { method: 'notifications/cancelled', params: { requestId: request.id } }
      if (!isModernRevision(this.revision)) await this.post(cancelled)
      throw ended.reason
    }
  }

  async #openStream (to: TestSubscription, signal: AbortSignal): Promise<HttpReply> {
    if (isModernRevision(this.revision)) {
      const request = { id: ++this.#lastId, method: 'subscriptions/listen', params: { notifications: to } }
      return await this.channel.post(request, signal)
    }
    for (const uri of to.resourceSubscriptions ?? []) await this.request('resources/subscribe', { uri })
    return await this.channel.get(signal)
  }

  async * #notificationsOf (reply: HttpReply, signal: AbortSignal): AsyncGenerator<TestNotification, void, void> {
    try {
      for await (const { message } of reply.messages) {
        if (!message) continue
        if (message.method === undefined) resultOf(message, reply)
        else yield { method: message.method, params: message.params ?? {} }
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  /** Of a reply and the streams that continue it: 2025-11-25 basic/transports#resumability-and-redelivery */
  async * #messagesOf (reply: HttpReply, signal: AbortSignal): AsyncGenerator<ServerMessage, void, void> {
    let last: string | undefined
    for (let part: HttpReply | undefined = reply; part !== undefined;) {
      const before = last
      for await (const { message, eventId } of part.messages) {
        last = eventId ?? last
        if (message) yield message
      }
      part = last === before || last === undefined
        ? undefined
        : await this.channel.get(signal, { 'last-event-id': last })
    }
  }

  async #receive (
    { id, params = {} }: ServerMessage, method: string, onNotification: TestRequestOptions['onNotification']
  ): Promise<void> {
    if (id === undefined) onNotification?.({ method, params })
    else await this.post({ id, result: await this.#answer({ method, params }) })
  }

  async #answerAll (requests: unknown): Promise<JsonObject> {
    const answers: Record<string, JsonObject> = {}
    for (const [key, request] of Object.entries(isObject(requests) ? requests : {})) {
      answers[key] = await this.#answer(request)
    }
    return answers
  }

  async #answer (request: unknown): Promise<JsonObject> {
    if (!this.answerOf) throw new Error('The server asks for input: give testClient the option "answer".')
    // The engine asks nothing else than these.
    return await this.answerOf(request as InputRequest)
  }
}

/** @throws {TestClientError} for an error */
const resultOf = ({ result, error }: ServerMessage, { status }: HttpReply): JsonObject => {
  if (result) return result
  const { code = status, message = `HTTP status ${status}`, data } = isObject(error) ? error : {}
  throw new TestClientError(message, code, status, data)
}
