/** Decodes a file: UTF-8 or UTF-16 by byte order mark, UTF-16 by its zero bytes, else Latin-1. */
import { isUtf8 } from 'node:buffer'

export interface DecodedText {
  /** Without byte order mark, U+0000 and half surrogate pairs, which no record may have; line ends as they are. */
  text: string
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin-1'
  /** Number of characters that no record may have, each replaced by U+FFFD. */
  replaced: number
  /** Whether the bytes are no text, such as a picture's. */
  binary: boolean
}

const SAMPLE_BYTES = 4096

/** Decodes the bytes. It never fails: bytes that are no text are decoded as Latin-1, with `binary` set. */
export const decodeText = (bytes: Buffer): DecodedText => {
  const encoding = encodingOf(bytes)
  const raw = decoded(bytes, encoding).replace(/^\uFEFF/, '')
  let replaced = 0
  const text = /[\0\p{Surrogate}]/u.test(raw)
    ? raw.replace(/[\0\p{Surrogate}]/gu, () => {
      replaced++
      return '\uFFFD'
    })
    : raw
  return {
    text,
    encoding,
    replaced,
    binary: encoding !== 'utf-16le' && encoding !== 'utf-16be' && replaced > 0 && replaced > text.length / 1000
  }
}

const encodingOf = (bytes: Buffer): DecodedText['encoding'] => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  let even = 0
  let odd = 0
  for (const [index, byte] of sample.entries()) if (byte === 0) index % 2 === 0 ? even++ : odd++
  if (sample.length >= 8 && odd > sample.length / 3 && even === 0) return 'utf-16le'
  if (sample.length >= 8 && even > sample.length / 3 && odd === 0) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : 'latin-1'
}

const decoded = (bytes: Buffer, encoding: DecodedText['encoding']): string => {
  switch (encoding) {
    case 'utf-8':
      return bytes.toString('utf8')
    case 'latin-1':
      return new TextDecoder('windows-1252').decode(bytes)
    case 'utf-16le':
      return bytes.toString('utf16le')
    case 'utf-16be':
      return Buffer.from(bytes.subarray(0, bytes.length & ~1))
        .swap16()
        .toString('utf16le')
  }
}
