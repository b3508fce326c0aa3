/** Checks what JSON Schema cannot express: characters that the database rejects, and impossible times. */
import { stripInvisible } from '../text/invisible.js'

type Check = (text: string, field: string) => boolean

/** What is wrong with the texts of a value whose depth is bounded. */
const faultsIn = (value: unknown, says: string, isWrong: Check, field = ''): string[] => {
  if (typeof value === 'string') return isWrong(value, field) ? [`${field} ${says}`] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => {
    const inside = Array.isArray(value) ? `${field}[${name}]` : field === '' ? name : `${field}.${name}`
    return faultsIn(part, says, isWrong, inside)
  })
}

export const textFaults = (value: unknown): string[] =>
  faultsIn(value, 'has U+0000 or half of a surrogate pair, which no text may have', (text) => UNSTORABLE.test(text))

const UNSTORABLE = /[\0\p{Surrogate}]/u

/** People and models compare and write ids: two must not differ by invisible characters only. */
export const idFaults = (value: unknown): string[] => faultsIn(value, 'has a character that no one sees',
  (text, field) => isId(field) && stripInvisible(text) !== text)

const isId = (field: string): boolean => /(?:^|[._])(?:ids?|depends_on)(?:\[\d+\])?$/.test(field)

export const timeFaults = (record: object): string[] => Object.entries(record).flatMap(([field, value]) =>
  field.endsWith('_at') && typeof value === 'string' && !isTime(value) ? [`${field} is not a time`] : [])

const EARLIEST = Date.parse('0001-01-02T00:00:00Z')
const LATEST = Date.parse('9999-12-31T00:00:00Z')
// The widest offset that PostgreSQL accepts.
const MAX_HOURS_OF_OFFSET = 15

/** `Date.parse` accepts 30 February, and years and offsets that PostgreSQL rejects. */
const isTime = (text: string): boolean => {
  const instant = Date.parse(text)
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
  const hours = /[+-](\d{2}):\d{2}$/.exec(text.slice(10))?.[1] ?? '0'
  return instant >= EARLIEST && instant < LATEST && Number(hours) <= MAX_HOURS_OF_OFFSET &&
    new Date(day).toISOString().startsWith(text.slice(0, 10))
}
