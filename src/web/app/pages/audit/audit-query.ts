/** The filters of the page as the query of the operation. */

export type AuditFilterName = 'action' | 'outcome' | 'user' | 'credential' | 'workspace' | 'since' | 'until'

const DAY_MS = 86_400_000
const DATE = /^\d{4}-\d\d-\d\d$/

/** Midnight of a day (`YYYY-MM-DD`) where the person is, `days` later, as RFC 3339; other values stay as they are. */
const startOfDay = (value: string, days = 0): string => {
  if (!DATE.test(value)) return value
  const date = new Date(`${value}T00:00:00`)
  return Number.isNaN(date.getTime()) ? value : new Date(date.getTime() + days * DAY_MS).toISOString()
}

/** Returns the filters that are set; a day as `until` includes that day. */
export const auditQuery = (
  values: Readonly<Record<AuditFilterName, string>>
): Partial<Record<AuditFilterName, string>> => {
  const { since, until, ...others } = values
  return {
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== '')),
    ...since !== '' && { since: startOfDay(since) },
    ...until !== '' && { until: startOfDay(until, 1) }
  }
}
