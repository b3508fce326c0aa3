/** What the operations on one's own account need. */
import type { PasskeyVerifier } from '../sign-in/passkey-verifier.js'
import type { RelyingParty } from '../sign-in/relying-party.js'
import type { WebDeps } from '../web-deps.js'

export interface AccountDeps extends Pick<WebDeps, 'config' | 'ports'> {
  verifier: PasskeyVerifier
  relyingParty (): RelyingParty
}
