/** Who is signed in. */
import { createContext, type ComponentChildren } from 'preact'
import { useContext, useEffect, useMemo } from 'preact/hooks'
import { call } from '../api/call.js'
import { clearCache, useOperation } from '../api/resource.js'
import { returnPath } from '../../page-paths.js'
import type { SessionInfo } from '../api/answers.js'
import { BASE_PATH } from './base-path.js'
import { applyTheme } from './theme.js'

export interface SessionState {
  session: SessionInfo
  reload: () => void
}

// Of the tab: it is there until the person signs out, so that the sign-in page can say that the session ended.
const SIGNED_IN = 'signed-in'

/** Whether this tab had a session that the person has not ended. */
export const hadSession = (): boolean => sessionStorage.getItem(SIGNED_IN) !== null

const SessionContext = createContext<SessionState | undefined>(undefined)

/** Who is signed in; undefined while that is being asked, and on pages for everybody. */
export const useSessionState = (): SessionState | undefined => useContext(SessionContext)

/** The time zone that the person has chosen; undefined: that of the browser. */
export const useTimeZone = (): string | undefined => useSessionState()?.session.preferences.time_zone ?? undefined

export const useMayWrite = (workspace: string | undefined): boolean => useSessionState()?.session.memberships
  .some(({ workspace: { id }, role }) => id === workspace && role !== 'viewer') ?? false

/** Whether the person is an editor or admin of any workspace; undefined while that is being asked. */
export const useIsEditor = (): boolean | undefined => useSessionState()?.session.memberships
  .some(({ role }) => role !== 'viewer')

export const SessionProvider = ({ children }: { children: ComponentChildren }) => {
  const { value: session, reload } = useOperation('GET /session')
  const theme = session?.preferences.theme
  useEffect(() => { if (theme !== undefined) applyTheme(theme) }, [theme])
  useEffect(() => { if (session) sessionStorage.setItem(SIGNED_IN, '1') }, [session])
  const state = useMemo(() => session && { session, reload }, [session, reload])
  return <SessionContext.Provider value={state}>{children}</SessionContext.Provider>
}

const endSession = async (): Promise<string | undefined> => {
  const { redirect_to: target } = await call('DELETE /session')
  clearCache()
  sessionStorage.removeItem(SIGNED_IN)
  return target
}

/** Ends the session, and goes to a path of this server, which asks for the next one. */
export const leave = async (path: string): Promise<void> => {
  await endSession()
  location.assign(BASE_PATH + returnPath(path))
}

/** Ends the session, and goes to the provider's own page where it has one. */
export const signOut = async (): Promise<void> => {
  const target = await endSession()
  location.assign(target !== undefined && /^https?:\/\//.test(target) ? target : `${BASE_PATH}/sign-in`)
}
