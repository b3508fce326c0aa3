/** Checks what JSON Schema cannot express: characters that the database rejects, and impossible times. */
import { stripInvisible } from '../text/invisible.js'

/** Faults in the texts of a value whose depth is bounded. */
export const textFaults = (value: unknown, field = ''): string[] => {
  if (typeof value === 'string') {
    return /[\0\p{Surrogate}]/u.test(value)
      ? [`${field} has U+0000 or half of a surrogate pair, which no text may have`]
      : []
  }
  if (Array.isArray(value)) return value.flatMap((part, index) => textFaults(part, `${field}[${index}]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => textFaults(part, field === '' ? name : `${field}.${name}`))
}

/** People and models compare and write ids: two must not differ by invisible characters only. */
export const idFaults = (value: unknown, field = ''): string[] => {
  if (Array.isArray(value)) return value.flatMap((part, index) => idFaults(part, `${field}[${index}]`))
  if (typeof value === 'string') {
    return isId(field) && stripInvisible(value) !== value ? [`${field} has a character that no one sees`] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => idFaults(part, field === '' ? name : `${field}.${name}`))
}

const isId = (field: string): boolean => /(?:^|[._])(?:ids?|depends_on)(?:\[\d+\])?$/.test(field)

/** Faults in the fields of a record whose name ends with `_at`. */
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
