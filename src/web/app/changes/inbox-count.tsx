/** How much waits for the person, in the navigation. */
import { useOperation } from '../api/resource.js'
import { useIsEditor } from '../lib/session.js'
import { useLive } from './live.js'

/** Draws the number; nothing while nothing waits. Viewers decide nothing, so nothing is asked for them. */
export const InboxCount = () => useIsEditor() ? <Count /> : null

const Count = () => {
  const { value, reload } = useOperation('GET /inbox', { query: { limit: 1 } })
  useLive(reload)
  return value !== undefined && value.total > 0 ? <span class='navigation-count'>{value.total}</span> : null
}
