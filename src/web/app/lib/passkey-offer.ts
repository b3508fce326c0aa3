/** Remembers within a tab that a passkey is offered, so that the offer stands on the page from its first picture. */

const KEY = 'exploration.offer-passkey'

/** Storage may be switched off: then nothing is offered. */
const storage = (): Storage | undefined => {
  try {
    return window.sessionStorage
  } catch {
    return undefined
  }
}

/** Begins the offer. */
export const offerPasskey = (): void => storage()?.setItem(KEY, 'yes')
/** Whether the offer stands. */
export const isPasskeyOffered = (): boolean => storage()?.getItem(KEY) === 'yes'
/** Ends the offer: the person has a passkey, or wants none now. */
export const endPasskeyOffer = (): void => storage()?.removeItem(KEY)
