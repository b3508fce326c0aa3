/** Passkeys: the browser's half. Options and answers travel as JSON; the browser translates. */
import { RequestError } from '../api/problem.js'
import { requestJson } from '../api/request.js'
import type { SignedIn } from '../api/answers.js'
import { describeBrowser } from './describe-browser.js'

/** Whether this browser can use passkeys at this address: in a secure context, and by a name, not by an IP address. */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext && typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
  !/^(?:[\d.]+|\[.*\])$/.test(location.hostname)

const failure = (error: unknown): unknown => {
  if (!(error instanceof DOMException)) return error
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') {
    return new RequestError('Nothing was done: the window of the browser was closed, or the time was over. Try ' +
      'again.', 0)
  }
  if (error.name === 'InvalidStateError') return new RequestError('This device has a passkey of yours already.', 0)
  if (error.name === 'SecurityError') {
    return new RequestError('Passkeys do not work at this address. Open the page by its name.', 0)
  }
  return new RequestError(`The browser refused (${error.name}). Try again.`, 0)
}

const toJson = (credential: Credential | null): unknown => {
  if (credential instanceof PublicKeyCredential) return credential.toJSON()
  throw new RequestError('The browser made no passkey. Try again.', 0)
}

/** Stores its public half on the server too. @throws {RequestError} with a sentence to show */
export const addPasskey = async (name: string): Promise<void> => {
  const options = await requestJson<PublicKeyCredentialCreationOptionsJSON>('POST', '/passkeys/options', { body: {} })
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const response = toJson(await navigator.credentials.create({ publicKey }))
    await requestJson('POST', '/passkeys', { body: { name, response } })
  } catch (error) {
    throw failure(error)
  }
}

/** @throws {RequestError} with a sentence to show */
export const signInWithPasskey = async (): Promise<SignedIn> => {
  const options =
    await requestJson<PublicKeyCredentialRequestOptionsJSON>('POST', '/sign-in/passkey/options', { body: {} })
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    const response = toJson(await navigator.credentials.get({ publicKey }))
    return await requestJson('POST', '/sign-in/passkey', { body: { response } })
  } catch (error) {
    throw failure(error)
  }
}

export const proposedPasskeyName = (): string => describeBrowser(navigator.userAgent)

const OFFER_KEY = 'exploration.offer-passkey'

/** Begins the offer of a passkey, which stands within a tab. */
export const offerPasskey = (): void => sessionStorage.setItem(OFFER_KEY, 'yes')
export const isPasskeyOffered = (): boolean => sessionStorage.getItem(OFFER_KEY) === 'yes'
/** The person has a passkey, or wants none now. */
export const endPasskeyOffer = (): void => sessionStorage.removeItem(OFFER_KEY)
