/** Recognizes times as lists show them, before a statement reads one from a cursor. */

/** Whether the text is RFC 3339 UTC with milliseconds, as `rfc3339()` of the database writes it. */
export const isRowTime = (text: string): boolean =>
  /^\d{4}-.*\.\d{3}Z$/.test(text) && Date.parse(text) > Date.parse('0001-01-01T00:00:00Z') &&
  new Date(text).toISOString() === text
