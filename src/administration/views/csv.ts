/** Rows as CSV (RFC 4180) that is safe to open in a spreadsheet. */

/**
 * Returns one line with its line break. A text that a spreadsheet would run as a formula gets an apostrophe before it.
 */
export const csvLine = (values: ReadonlyArray<string | number | null | undefined>): string =>
  `${values.map(cell).join(',')}\r\n`

const cell = (value: string | number | null | undefined): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@＝＋－＠\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
