/** Asks who is signed in, and gives the answer and the preferences to the pages below. */
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { useResource } from '../api/resource.js'
import type { SessionInfo } from '../api/session.js'
import { PreferencesContext } from '../lib/preferences.js'
import { SessionContext } from '../lib/session.js'
import { applyTheme } from '../lib/theme.js'

/** Draws its children with the session in their context; it is undefined until the server has answered. */
export const SessionProvider = ({ children }: { children: ComponentChildren }) => {
  const { value: session, reload } = useResource<SessionInfo>('/session')
  const theme = session?.preferences.theme
  const timeZone = session?.preferences.time_zone ?? undefined
  useEffect(() => { if (theme !== undefined) applyTheme(theme) }, [theme])
  const state = useMemo(() => session && { session, reload }, [session, reload])
  const preferences = useMemo(() => ({ timeZone }), [timeZone])
  return (
    <SessionContext.Provider value={state}>
      <PreferencesContext.Provider value={preferences}>{children}</PreferencesContext.Provider>
    </SessionContext.Provider>
  )
}
