/** Sends the messages of a test client: frames them and injects the HTTP requests. */
import { isObject, type JsonObject } from '../../lib/json/json-object.js'
import type { ClientFraming } from './client-framing.js'
import { injectRequest, type HttpReply, type HttpRequest, type InjectableApp } from './in-process-http.js'
import type { TestClientOptions } from './test-client-options.js'

/** A request, a notification, or the response to a request of the server. */
export type ClientMessage =
  | { id?: number, method: string, params?: JsonObject }
  | { id: number | string, method?: undefined, result: JsonObject }

const JSON_TYPE = { 'content-type': 'application/json' }

export class ClientChannel {
  readonly #app: InjectableApp
  readonly #options: TestClientOptions
  readonly #framing: ClientFraming

  constructor (app: InjectableApp, options: TestClientOptions, framing: ClientFraming) {
    this.#app = app
    this.#options = options
    this.#framing = framing
  }

  get hasSession (): boolean {
    return this.#framing.hasSession
  }

  async post (message: ClientMessage, signal: AbortSignal, headers?: Record<string, string>): Promise<HttpReply> {
    const framed = this.#framing.headers(message.method ?? '', message.method === undefined ? {} : message.params ?? {})
    return await this.#inject('POST', { ...JSON_TYPE, ...framed, ...headers }, signal, {
      jsonrpc: '2.0', ...message, ...message.method !== undefined && { params: this.#paramsOf(message) }
    })
  }

  async get (signal: AbortSignal, headers?: Record<string, string>): Promise<HttpReply> {
    return await this.#inject('GET', { ...this.#framing.headers('', {}), ...headers }, signal)
  }

  async delete (): Promise<void> {
    const { messages } = await this.#inject('DELETE', this.#framing.headers('', {}), new AbortController().signal)
    await messages.next()
  }

  #paramsOf ({ id, params = {} }: Extract<ClientMessage, { method: string }>): JsonObject {
    if (id === undefined) return params
    const { _meta: meta } = params
    return { ...params, _meta: { ...this.#framing.meta(id), ...isObject(meta) && meta } }
  }

  async #inject (
    method: HttpRequest['method'], headers: Record<string, string>, signal: AbortSignal, body?: object
  ): Promise<HttpReply> {
    const { path = '/mcp', headers: own } = this.#options
    const accept = method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream'
    return await injectRequest(this.#app, { method, path, headers: { accept, ...headers, ...own }, body, signal })
  }
}
