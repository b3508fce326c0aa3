// The official TypeScript clients, old and new, and what keeps for them what OAuth gives.
import * as v2 from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

export const withBearer = (secret) => ({ requestInit: { headers: { Authorization: `Bearer ${secret}` } } })

/** Client 2.4; `revision` is what it then speaks with a server that has all. */
const clientTwo = (options, revision) => ({
  open (url, transportOptions) {
    const client = new v2.Client({ name: 'typescript-2', version: '1' }, options)
    const transport = new v2.StreamableHTTPClientTransport(new URL(url), transportOptions)
    return { client, transport, revision, callTool: (name, args = {}, more) => client.callTool({ name, arguments: args }, more) }
  },
  finish: (transport, answer) => transport.finishAuth(answer)
})

/** `open` gives a client that is not connected yet; `finish` goes on with the query that came back from the authorization server. */
export const SDK_1 = {
  open (url, transportOptions) {
    const client = new ClientV1({ name: 'typescript-1', version: '1' })
    const transport = new TransportV1(new URL(url), transportOptions)
    return { client, transport, callTool: (name, args = {}, more) => client.callTool({ name, arguments: args }, undefined, more) }
  },
  finish: (transport, answer) => transport.finishAuth(answer.get('code'))
}
export const LEGACY = clientTwo({}, '2025-11-25')
export const MODERN = clientTwo({ versionNegotiation: { mode: 'auto' } }, '2026-07-28')
export const PINNED = clientTwo({ versionNegotiation: { mode: { pin: '2026-07-28' } } }, '2026-07-28')

/** Keeps in memory what a client's own store would keep, and at first has nothing but `more`. */
export class Provider {
  #more
  constructor (redirectUrl, more = {}) {
    this.redirectUrl = redirectUrl
    this.#more = more
  }

  get clientMetadataUrl () { return this.#more.clientMetadataUrl }
  get clientMetadata () {
    return {
      client_name: 'Interop',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none'
    }
  }

  state () { return 'a state' }
  clientInformation () { return this.information ?? this.#more.clientInformation }
  saveClientInformation (information) { this.information = information }
  tokens () { return this.saved }
  saveTokens (tokens) { this.saved = tokens }
  saveCodeVerifier (verifier) { this.verifier = verifier }
  codeVerifier () { return this.verifier }
  saveDiscoveryState (state) { this.discovery = state }
  discoveryState () { return this.discovery }
  redirectToAuthorization (url) { this.asked = url }
}
