/** Sends the messages of a test client: frames them as the revision demands, and injects the HTTP requests. */
import { isObject, type JsonObject } from '../../lib/json/json-object.js'
import { VERSION_KEY } from '../eras/classify.js'
import { CAPABILITIES_KEY, CLIENT_KEY, LOG_LEVEL_KEY } from '../eras/modern/envelope.js'
import { encodeHeaderValue } from '../eras/modern/header-value.js'
import { METHODS, targetOf } from '../methods/index.js'
import { isModernRevision, type Revision } from '../revisions.js'
import { injectRequest, type HttpReply, type HttpRequest, type InjectableApp } from './in-process-http.js'
import type { TestClientOptions } from './test-client-options.js'

export type ClientMessage =
  | { id?: number, method: string, params?: JsonObject }
  | { id: number | string, method?: undefined, result: JsonObject }

export const CLIENT_INFO = { name: 'test-client', version: '1.0.0' }

/** What the client and the server agreed on: nothing yet during a handshake. */
export interface Agreed {
  revision?: Revision
  /** Of the older revisions. */
  session?: string | undefined
  /** In 2026-07-28 each request carries them: basic/index#meta. */
  capabilities?: JsonObject
}

export class ClientChannel {
  constructor (
    private readonly app: InjectableApp, private readonly options: TestClientOptions, private readonly agreed: Agreed
  ) {}

  get hasSession (): boolean {
    return this.agreed.session !== undefined
  }

  async post (message: ClientMessage, signal: AbortSignal, headers?: Record<string, string>): Promise<HttpReply> {
    const isCall = message.method !== undefined
    const framed = isCall ? this.#headers(message.method, message.params) : this.#headers()
    return await this.#inject('POST', { 'content-type': 'application/json', ...framed, ...headers }, signal, {
      jsonrpc: '2.0', ...message, ...isCall && { params: this.#paramsOf(message) }
    })
  }

  async get (signal: AbortSignal, headers?: Record<string, string>): Promise<HttpReply> {
    return await this.#inject('GET', { ...this.#headers(), ...headers }, signal)
  }

  async delete (): Promise<void> {
    const { messages } = await this.#inject('DELETE', this.#headers(), new AbortController().signal)
    await messages.next()
  }

  #headers (method = '', params: JsonObject = {}): Record<string, string> {
    const { revision, session } = this.agreed
    const version = { ...revision !== undefined && { 'mcp-protocol-version': revision } }
    if (!isModernRevision(revision)) return { ...version, ...session !== undefined && { 'mcp-session-id': session } }
    const definition = METHODS.find(({ name }) => name === method)
    const target = definition && targetOf(definition, params)
    return {
      ...version, 'mcp-method': method, ...typeof target === 'string' && { 'mcp-name': encodeHeaderValue(target) }
    }
  }

  #paramsOf ({ id, params = {} }: Extract<ClientMessage, { method: string }>): JsonObject {
    if (id === undefined) return params
    const { revision, capabilities } = this.agreed
    const { _meta: meta } = params
    const own = isModernRevision(revision) && {
      [VERSION_KEY]: revision,
      [CLIENT_KEY]: CLIENT_INFO,
      [CAPABILITIES_KEY]: capabilities,
      [LOG_LEVEL_KEY]: 'info'
    }
    return { ...params, _meta: { ...own, progressToken: id, ...isObject(meta) && meta } }
  }

  async #inject (
    method: HttpRequest['method'], headers: Record<string, string>, signal: AbortSignal, body?: object
  ): Promise<HttpReply> {
    const { path = '/mcp', headers: own } = this.options
    const accept = method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream'
    return await injectRequest(this.app, { method, path, headers: { accept, ...headers, ...own }, body, signal })
  }
}
