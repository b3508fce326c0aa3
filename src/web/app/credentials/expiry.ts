/** When a new credential expires. */
import type { CreateCredentialBody } from './credential-kinds.js'

export type ExpiryChoice = '7' | '30' | '90' | '365' | 'date' | 'never'

export const EXPIRIES: ReadonlyArray<{ value: ExpiryChoice, label: string }> = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a date' },
  { value: 'never', label: 'Never' }
]

const DAY_MS = 86_400_000

/** The day on which it expires; undefined for never, and while no date is chosen. */
export const expiryDate = (choice: ExpiryChoice, date: string, now: Date): Date | undefined => {
  if (choice === 'never') return undefined
  if (choice !== 'date') return new Date(now.getTime() + Number(choice) * DAY_MS)
  return endOfDay(date)
}

/** The fields of the request. */
export const expiryFields = (
  choice: ExpiryChoice, date: string
): Pick<CreateCredentialBody, 'expires_at' | 'expires_in_days' | 'never'> => {
  if (choice === 'never') return { never: true }
  if (choice !== 'date') return { expires_in_days: Number(choice) }
  return { expires_at: endOfDay(date)?.toISOString() }
}

/** What is wrong with a chosen date, as a sentence. */
export const dateFault = (choice: ExpiryChoice, date: string, now: Date): string | undefined => {
  if (choice !== 'date') return undefined
  const end = endOfDay(date)
  if (!end) return 'Choose a date.'
  return end <= now ? 'Choose a date in the future.' : undefined
}

/** The last moment of a day in the time zone of the browser. */
const endOfDay = (date: string): Date | undefined => {
  const end = new Date(`${date}T23:59:59`)
  return /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(end.getTime()) ? end : undefined
}
