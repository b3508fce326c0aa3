/** What browsers do with passkeys. The library takes 0.4 s, which a server without passkeys does not spend. */
import { randomUUID } from 'node:crypto'
import type { WebSession } from '../../access/sign-in/web-sessions.js'
import { SERVER } from '../../config/server-info.js'
import { Refusal } from '../../lib/errors.js'
import { createTextSigner } from '../../lib/text/signed-text.js'
import type { WebBody } from '../../administration/operation.js'
import type { WebDeps } from '../web-deps.js'
import type account from '#schemas/operations/account.json'
import type signIn from '#schemas/operations/sign-in.json'

const TIMEOUT_MS = 5 * 60_000
const SIGN_IN = 'sign-in'

type CreatedByBrowser = WebBody<typeof account.newPasskey>['response']
type SignedByBrowser = WebBody<typeof signIn.passkeySignIn>['response']

/** For passkeys of a host. A `Refusal` names only usual causes; `onFailure` gets the error itself. */
export const createPasskeyVerifier = (
  host: string, { secrets, ports: { passkeys } }: WebDeps, onFailure: (error: unknown) => void
) => {
  const signerFor = (purpose: string) => createTextSigner(`passkey challenge ${purpose}`, secrets)

  /** It carries its expiry and a signature: asking for one writes nothing, so no one can fill the database. */
  const issueChallenge = (purpose: string): string =>
    signerFor(purpose).sign(`${randomUUID()} ${Date.now() + TIMEOUT_MS}`)

  /** False when it is forged, expired, of another purpose, or was used: kept in the database for all replicas. */
  const useChallenge = (purpose: string) => async (challenge: string): Promise<boolean> => {
    const bytes = Buffer.from(challenge, 'base64url')
    const expires = Number(signerFor(purpose).open(bytes.toString())?.split(' ')[1] ?? 0)
    return expires > Date.now() && await passkeys.useChallenge(bytes, new Date(expires))
  }

  return {
    /** Options for a new passkey of a person; `excluded` are the credential ids that they have. */
    async creationOptions (
      session: string, { id, email, name }: WebSession['user'], excluded: readonly string[]
    ) {
      const { generateRegistrationOptions } = await library()
      return await generateRegistrationOptions({
        rpID: host,
        rpName: SERVER.name,
        userID: userHandleOf(id),
        userName: email,
        userDisplayName: name,
        challenge: issueChallenge(creationBy(session)),
        timeout: TIMEOUT_MS,
        attestationType: 'none',
        excludeCredentials: excluded.map((credentialId) => ({ id: credentialId })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' }
      })
    },

    /** @throws {Refusal} when it was made for another challenge, origin or host */
    async verifyCreation (session: string, { id, rawId, type, response }: CreatedByBrowser, origin: string) {
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
          expectedChallenge: useChallenge(creationBy(session)),
          expectedOrigin: origin,
          expectedRPID: host,
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

    /** Options for signing in with whichever passkey the browser has for this host. */
    async signInOptions () {
      const { generateAuthenticationOptions } = await library()
      return await generateAuthenticationOptions({
        rpID: host,
        challenge: issueChallenge(SIGN_IN),
        timeout: TIMEOUT_MS,
        userVerification: 'required'
      })
    },

    /** Verifies a sign-in and stores its counter. Resolves with the passkey; undefined for every kind of failure. */
    async verifySignIn ({ id, rawId, type, response }: SignedByBrowser, origin: string) {
      const passkey = await passkeys.find(id, host)
      if (!passkey) return undefined
      const { verifyAuthenticationResponse } = await library()
      try {
        const { userHandle, ...signed } = response
        if (userHandle !== Buffer.from(userHandleOf(passkey.userId)).toString('base64url')) {
          throw new Error('the passkey is of another user')
        }
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response: { id, rawId, type, response: { ...signed, userHandle }, clientExtensionResults: {} },
          expectedChallenge: useChallenge(SIGN_IN),
          expectedOrigin: origin,
          expectedRPID: host,
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
  }
}

const library = () => import('@simplewebauthn/server')

/** A challenge for a new passkey works in the session that asked for it. */
const creationBy = (session: string): string => `create ${session}`

/** The user's id as 16 bytes: what an authenticator stores must say nothing about the person. */
const userHandleOf = (userId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'))
