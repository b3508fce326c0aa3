/** Header values, plain or marked base64: 2026-07-28 basic/transports/streamable-http#value-encoding */
import { isUtf8 } from 'node:buffer'

const SENTINEL = /^=\?base64\?(.*)\?=$/s
// Node's decoder skips unknown characters, but only canonical base64 is allowed.
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const PLAIN = /^[\t\x20-\x7e]*$/

export const decodeHeaderValue = (raw: string): string | undefined => {
  const encoded = raw.startsWith('=?') ? SENTINEL.exec(raw)?.[1] : undefined
  if (encoded === undefined) return PLAIN.test(raw) ? raw : undefined
  if (!BASE64.test(encoded)) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

export const encodeHeaderValue = (value: string): string =>
  PLAIN.test(value) && value.trim() === value && !value.startsWith('=?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`
