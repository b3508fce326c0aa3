// How the official TypeScript clients get a token where none is given: a store in memory, and someone who follows the address at once.
import { randomUUID } from 'node:crypto'

const CALLBACK = 'http://127.0.0.1:9876/callback'
const MAX_ATTEMPTS = 4

/** Keeps what belongs to an authorization server by its issuer, where the client says which one it is. */
class Provider {
  redirectUrl = CALLBACK
  answer
  #clients = new Map()
  #tokens = new Map()
  #latest
  #verifier
  #state
  #given
  constructor ({ scenario, context: { client_id: id, client_secret: secret } }) {
    this.#given = id === undefined ? undefined : { client_id: id, client_secret: secret }
    this.clientMetadata = {
      client_name: 'matrix', redirect_uris: [CALLBACK], grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], token_endpoint_auth_method: secret === undefined ? 'none' : 'client_secret_post', application_type: 'native'
    }
    // In the suite, the document about this client has this address.
    this.clientMetadataUrl = scenario === undefined ? undefined : 'https://conformance-test.local/client-metadata.json'
  }

  state () {
    this.#state = randomUUID()
    return this.#state
  }

  clientInformation (about) { return this.#clients.get(about?.issuer) ?? this.#given }
  saveClientInformation (information, about) { this.#clients.set(about?.issuer, information) }
  tokens (about) { return about === undefined ? this.#latest : this.#tokens.get(about.issuer) }
  saveTokens (tokens, about) {
    this.#latest = tokens
    this.#tokens.set(about?.issuer, tokens)
  }

  saveCodeVerifier (verifier) { this.#verifier = verifier }
  codeVerifier () { return this.#verifier }
  async redirectToAuthorization (url) {
    const reply = await fetch(url, { redirect: 'manual' })
    this.answer = new URL(reply.headers.get('location')).searchParams
    if (this.answer.get('state') !== this.#state) throw new Error('the state is another one')
  }
}

/**
 * Returns the options of a transport, and what does a request again after the person was asked; with a token, neither is needed.
 * `finish(answer)` gives the answer of the authorization server to the client.
 */
export const authorization = (task) => {
  if (task.headers.Authorization !== undefined) return { options: {}, withAuthorization: (run) => run() }
  const provider = new Provider(task)
  return {
    options: { authProvider: provider },
    async withAuthorization (run, finish) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await run()
        } catch (error) {
          const { answer } = provider
          provider.answer = undefined
          if (answer === undefined || attempt === MAX_ATTEMPTS) throw error
          await finish(answer)
        }
      }
    }
  }
}
