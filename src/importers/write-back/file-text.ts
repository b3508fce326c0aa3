/** The text of a file for editing: every byte outside of an edit stays, whatever the encoding is. */
import { decodeText } from '../source/decode-text.js'

export interface FileText {
  /** One character for each byte, or for each two of UTF-16; with the byte order mark. */
  text: string
  /** A new text as it stands among the others; undefined when the encoding has no such characters. */
  inserted (text: string): string | undefined
  toBytes (text: string): Buffer
}

/** One replacement; `length` is 0 for an insertion. */
export interface Edit { at: number, length: number, text: string }

/** Undefined for bytes that are no whole text. */
export const fileText = (bytes: Buffer): FileText | undefined => {
  const { encoding, binary } = decodeText(bytes)
  if (binary) return undefined
  if (encoding === 'utf-8' || encoding === 'latin-1') {
    return {
      text: bytes.toString('latin1'),
      inserted: (text) => encoding === 'utf-8'
        ? Buffer.from(text, 'utf8').toString('latin1')
        : /^[\x20-\x7e\xa0-\xff\r\n\t]*$/.test(text) ? text : undefined,
      toBytes: (text) => Buffer.from(text, 'latin1')
    }
  }
  if (bytes.length % 2 === 1) return undefined
  const swapped = (utf16: Buffer): Buffer => encoding === 'utf-16be' ? Buffer.from(utf16).swap16() : utf16
  return {
    text: swapped(bytes).toString('utf16le'),
    inserted: (text) => text,
    toBytes: (text) => swapped(Buffer.from(text, 'utf16le'))
  }
}

/** The places of the lines, without their ends; the first line is 1, as importers count. */
export const lineAt = (text: string, line: number): { at: number, text: string, end: string } | undefined => {
  let at = 0
  for (const [index, found] of text.split(/(\r\n|\r|\n)/).entries()) {
    if (index === (line - 1) * 2) return { at, text: found, end: /\r\n|\r|\n/.exec(text.slice(at + found.length))?.[0] ?? '' }
    at += found.length
  }
  return undefined
}

/** Makes edits that do not overlap; those at one place in their order. */
export const withEdits = (text: string, edits: readonly Edit[]): string => {
  let edited = ''
  let from = 0
  for (const { at, length, text: fresh } of [...edits].sort((one, other) => one.at - other.at)) {
    edited += text.slice(from, at) + fresh
    from = at + length
  }
  return edited + text.slice(from)
}
