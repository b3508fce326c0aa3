/** Refuses to send a secret over plain http to another machine, unless the operator allows it. */
import { Refusal } from '../lib/errors.js'
import { isLoopbackHost } from '../lib/http/loopback.js'

/** `setting` names the address, `secrets` is the object of the sentence in the refusal. @throws {Refusal} */
export const requireSecureService = (setting: string, address: string, secrets: string, allowed: boolean): void => {
  const { protocol, hostname } = new URL(address)
  if (allowed || protocol === 'https:' || isLoopbackHost(hostname.replace(/^\[|\]$/g, ''))) return
  throw new Refusal(`${setting} is plain http to another machine: anyone on the way could read ${secrets}. ` +
    'Use its https address; or, in a network that you trust, set ALLOW_HTTP=true (serve --allow-http).')
}
