/** Divides time into windows of whole months (UTC), newest first, for lists over a table with a partition a month. */

export interface TimeWindow {
  /** RFC 3339, inclusive; absent: from the beginning. */
  since?: string
  /** RFC 3339, exclusive; absent: without an end. */
  until?: string
}

/** Months before that of the newest time, at whose start a window begins: they have 1, 2, 4 and 8 months. */
const STARTS = [0, 2, 6, 14]
// Before the year 100 Date.UTC means another century.
const EARLIEST = Date.UTC(1000, 0)

/**
 * Yields windows without gaps: the month of `newest` and all that is later, then ever more months, then the rest. Ends
 * with the window that contains `oldest`.
 * @param newest RFC 3339; now when absent
 * @param oldest RFC 3339
 */
export function * monthWindows (newest: string | undefined, oldest: string | undefined): Generator<TimeWindow> {
  const time = newest === undefined ? new Date() : new Date(newest)
  let until: string | undefined
  if (time.getTime() >= EARLIEST) {
    for (const months of STARTS) {
      const start = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - months))
      yield { since: start.toISOString(), ...(until !== undefined && { until }) }
      if (oldest !== undefined && Date.parse(oldest) >= start.getTime()) return
      until = start.toISOString()
    }
  }
  yield until === undefined ? {} : { until }
}
