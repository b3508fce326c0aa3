/** How the person wants things shown. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export interface Preferences {
  /** IANA name; undefined: that of the browser. */
  timeZone: string | undefined
}

export const PreferencesContext = createContext<Preferences>({ timeZone: undefined })

/** Returns the preferences of the person who is signed in, or those of the browser. */
export const usePreferences = (): Preferences => useContext(PreferencesContext)
