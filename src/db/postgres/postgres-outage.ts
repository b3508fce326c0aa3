/** Distinguishes outages from errors of a statement: the server or the connection is unavailable or overloaded. */
import { errorCode } from '../../lib/error-code.js'

/**
 * `lost`: the connection broke, or the server no longer writes. Other connections of the pool are no better, a new one
 * may be. `away`: no connection can be opened, or the server accepts no more work now.
 */
export type Outage = 'lost' | 'away'

// https://www.postgresql.org/docs/17/errcodes-appendix.html, and the codes of the operating system
const LOST = ['08003', '08006', '25006', '57P01', '57P02', 'ECONNRESET', 'EPIPE']
const AWAY = ['08001', '08004', '40001', '40P01', '53000', '53100', '53200', '53300', '55P03', '57014', '57P03',
  'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']

// Errors of the driver without a code.
const WORDS: ReadonlyArray<readonly [RegExp, Outage]> = [
  [/^Connection terminated due to connection timeout/, 'away'],
  [/^timeout exceeded when trying to connect/, 'away'],
  [/^timeout expired/, 'away'],
  [/^Connection terminated/, 'lost'],
  [/^Client has encountered a connection error/, 'lost'],
  [/^Client was closed/, 'lost'],
  [/^Query read timeout/, 'lost']
]

export const outageOf = (error: unknown): Outage | undefined => {
  if (!(error instanceof Error)) return undefined
  const code = errorCode(error) ?? ''
  if (LOST.includes(code)) return 'lost'
  return AWAY.includes(code) ? 'away' : WORDS.find(([words]) => words.test(error.message))?.[1]
}

/** Whether a statement may be repeated although it may have run already: it changes nothing. */
export const isRead = (text: string): boolean => /^\s*(?:select|with)\b/i.test(text) &&
  !/\b(?:insert|update|delete|merge|nextval|purge_\w+|pg_advisory_\w+)\b/i.test(text)
