/** What the checks of requests, codes and tokens share. */
import type { JsonObject } from '../../lib/json/json-object.js'
import type { Authorizer } from './authorize.js'
import type { Inspection } from './discovery.js'
import { challengeOf, randomText, type Fields } from './web.js'

interface Parts extends Inspection {
  issuer: string
  metadata: JsonObject
  /** The ids of two clients. */
  client: string
  otherClient: string
  authorizer: Authorizer
  /** Waits, in milliseconds. */
  pause(ms: number): Promise<void>
}

export type Audit = ReturnType<typeof createAudit>

/** Creates what the checks use of an authorization server with these endpoints. */
export const createAudit = (parts: Parts, authorizeUrl: string, tokenUrl: string) => {
  const { web, authorizer, client, resource } = parts
  return {
    ...parts,
    /** Sends a correct authorization request, changed by `over`. */
    authorize: (verifier: string, over: Fields, expects?: 'must-be-refused') => authorizer.authorize(authorizeUrl, {
      response_type: 'code',
      client_id: client,
      redirect_uri: authorizer.redirectUri,
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      state: randomText(),
      resource,
      ...over
    }, expects),
    /** Sends a form to the token endpoint. */
    async token (form: Fields) {
      for (const secret of [form['code'], form['code_verifier'], form['refresh_token']]) if (secret) web.hide(secret)
      const reply = await web.send(tokenUrl, { form })
      for (const name of ['access_token', 'refresh_token']) if (reply.json[name]) web.hide(String(reply.json[name]))
      return reply
    }
  }
}
