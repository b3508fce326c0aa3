/** 2026-07-28 basic/transports/streamable-http#value-encoding: plain ASCII, or base64 of UTF-8 between two markers. */
import { isUtf8 } from 'node:buffer'

const SENTINEL = /^=\?base64\?(.*)\?=$/s
// Node's decoder skips what it does not know; the encoding allows canonical base64 only.
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const PLAIN = /^[\t\x20-\x7e]*$/

/** The value that a header stands for; undefined when it is not a valid one. */
export const decodeHeaderValue = (raw: string): string | undefined => {
  const encoded = SENTINEL.exec(raw)?.[1]
  if (encoded === undefined) return PLAIN.test(raw) ? raw : undefined
  if (!BASE64.test(encoded)) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}
