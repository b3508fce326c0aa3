/** The port to what people set for themselves. */
import type { Theme } from '../sign-in/web-sessions.js'

export interface AccountChange {
  name?: string | undefined
  theme?: Theme | undefined
  /** An IANA name; null: that of the browser. */
  timeZone?: string | null | undefined
}

export interface Accounts {
  /**
   * Changes the given fields of an active person.
   * @throws {Refusal} for a time zone that is not known, or when there is no such person
   */
  change (userId: string, change: AccountChange): Promise<{ name: string, theme: Theme, timeZone: string | null }>
}
