/**
 * Makes and verifies what browsers do with passkeys. The library is loaded at the first use: it takes 0.4 s, which a
 * server without passkeys does not spend.
 */
import type { Passkeys } from '../../db/sign-in/sql-passkeys.js'
import type { WebSession } from '../../access/sign-in/web-sessions.js'
import { Refusal } from '../../lib/errors.js'
import type { WebBody } from '../../administration/operation.js'
import type newPasskey from '#schemas/web/new_passkey.json'
import type passkeySignIn from '#schemas/web/passkey_sign_in.json'
import type { PasskeyChallenges } from './passkey-challenges.js'

const TIMEOUT_MS = 5 * 60_000
const SIGN_IN = 'sign-in'

export type CreatedByBrowser = WebBody<typeof newPasskey>['response']
export type SignedByBrowser = WebBody<typeof passkeySignIn>['response']

interface PasskeyOptions { challenge: string, [name: string]: unknown }

export interface VerifiedPasskey {
  credentialId: string
  publicKey: Uint8Array
  counter: number
  transports: readonly string[]
}

export interface PasskeyVerifier {
  /** Options for a new passkey of a person; `excluded` are the credential ids that they have. */
  creationOptions (session: string, person: WebSession['user'], excluded: readonly string[]): Promise<PasskeyOptions>
  /**
   * Verifies a new passkey.
   * @throws {Refusal} when it was made for another challenge, origin or host
   */
  verifyCreation (session: string, response: CreatedByBrowser, origin: string): Promise<VerifiedPasskey>
  /** Options for signing in with whichever passkey the browser has for this host. */
  signInOptions (): Promise<PasskeyOptions>
  /** Verifies a sign-in and stores its counter. Resolves with the passkey; undefined for every kind of failure. */
  verifySignIn (response: SignedByBrowser, origin: string): ReturnType<Passkeys['find']>
}

export interface PasskeyVerifierDeps {
  rpId: string
  rpName: string
  challenges: PasskeyChallenges
  passkeys: Pick<Passkeys, 'find' | 'recordUse'>
  /** Receives why a sign-in failed, for the log. */
  onFailure (error: unknown): void
}

/**
 * Returns the verifier. The `Refusal` of a failed check names only usual causes; `onFailure` gets the error itself.
 */
export const createPasskeyVerifier = (
  { rpId, rpName, challenges, passkeys, onFailure }: PasskeyVerifierDeps
): PasskeyVerifier => ({
  async creationOptions (session, { id, email, name }, excluded) {
    const { generateRegistrationOptions } = await library()
    return {
      ...await generateRegistrationOptions({
        rpID: rpId,
        rpName,
        userID: userHandleOf(id),
        userName: email,
        userDisplayName: name,
        challenge: challenges.issue(creationBy(session)),
        timeout: TIMEOUT_MS,
        attestationType: 'none',
        excludeCredentials: excluded.map((credentialId) => ({ id: credentialId })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' }
      })
    }
  },

  async verifyCreation (session, { id, rawId, type, response }, origin) {
    const { verifyRegistrationResponse } = await library()
    try {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: {
          id,
          rawId,
          type,
          response: { ...response, transports: response.transports ?? [] },
          clientExtensionResults: {}
        },
        expectedChallenge: (challenge) => challenges.use(challenge, creationBy(session)),
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: true
      })
      if (!verified) throw new Error('the attestation was not verified')
      const { id: credentialId, publicKey, counter } = registrationInfo.credential
      return { credentialId, publicKey, counter, transports: response.transports ?? [] }
    } catch (error) {
      onFailure(error)
      throw new Refusal('The passkey could not be added: it took longer than five minutes, or was made for another ' +
        'address. Try again.')
    }
  },

  async signInOptions () {
    const { generateAuthenticationOptions } = await library()
    return {
      ...await generateAuthenticationOptions({
        rpID: rpId, challenge: challenges.issue(SIGN_IN), timeout: TIMEOUT_MS, userVerification: 'required'
      })
    }
  },

  async verifySignIn ({ id, rawId, type, response }, origin) {
    const passkey = await passkeys.find(id, rpId)
    if (!passkey) return undefined
    const { verifyAuthenticationResponse } = await library()
    try {
      const { userHandle, ...signed } = response
      if (userHandle !== Buffer.from(userHandleOf(passkey.userId)).toString('base64url')) {
        throw new Error('the passkey is of another user')
      }
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { id, rawId, type, response: { ...signed, userHandle }, clientExtensionResults: {} },
        expectedChallenge: (challenge) => challenges.use(challenge, SIGN_IN),
        expectedOrigin: origin,
        expectedRPID: rpId,
        credential: { id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
        requireUserVerification: true
      })
      if (!verified) throw new Error('the signature is wrong')
      if (!await passkeys.recordUse(passkey.id, authenticationInfo.newCounter)) {
        throw new Error('the counter did not grow')
      }
      return passkey
    } catch (error) {
      onFailure(error)
      return undefined
    }
  }
})

const library = () => import('@simplewebauthn/server')

/** A challenge for a new passkey works in the session that asked for it. */
const creationBy = (session: string): string => `create ${session}`

/** The user's id as 16 bytes: what an authenticator stores must say nothing about the person. */
const userHandleOf = (userId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'))
