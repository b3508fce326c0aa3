/** Decodes a file: UTF-8 or UTF-16 by byte order mark, UTF-16 by its zero bytes, else Latin-1. */
import { isUtf8 } from 'node:buffer'

export interface DecodedText {
  /** Without byte order mark, U+0000 and half surrogate pairs, which no record may have; line ends as they are. */
  text: string
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin-1'
  /** Number of characters that no record may have, each replaced by U+FFFD. */
  replaced: number
  binary: boolean
}

const SAMPLE_BYTES = 4096

/** Decodes the bytes. It never fails: bytes that are no text are decoded as Latin-1, with `binary` set. */
export const decodeText = (bytes: Buffer): DecodedText => {
  const encoding = encodingOf(bytes)
  let replaced = 0
  const text = DECODE[encoding](bytes).replace(/^\uFEFF/, '').replace(/[\0\p{Surrogate}]/gu, () => {
    replaced++
    return '\uFFFD'
  })
  return { text, encoding, replaced, binary: !encoding.startsWith('utf-16') && replaced > text.length / 1000 }
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

const DECODE: Readonly<Record<DecodedText['encoding'], (bytes: Buffer) => string>> = {
  'utf-8': (bytes) => bytes.toString('utf8'),
  'latin-1': (bytes) => new TextDecoder('windows-1252').decode(bytes),
  'utf-16le': (bytes) => bytes.toString('utf16le'),
  'utf-16be': (bytes) => Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16().toString('utf16le')
}
