/** How much waits for the person, in the navigation. */
import { useOperation } from '../api/resource.js'
import { useLive } from './live.js'

/** Draws the number; nothing while nothing waits, and for viewers. */
export const InboxCount = () => {
  const { value, reload } = useOperation('GET /inbox', { query: { limit: 1 } })
  useLive(reload)
  return value !== undefined && value.total > 0 ? <span class='navigation-count'>{value.total}</span> : null
}
