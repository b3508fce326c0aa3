/** The text of a file for editing: every byte outside of an edit stays, whatever the encoding is. */
import { decodeText } from '../source/decode-text.js'

export interface FileText {
  /** One character for each byte, or for each two of UTF-16; with the byte order mark. */
  text: string
  /** Its lines: the first has the number 1, as importers count, and the index 0. */
  lines: readonly Line[]
  /** A new text as it stands among the others; undefined when the encoding has no such characters. */
  inserted (text: string): string | undefined
  toBytes (text: string): Buffer
}

export interface Line { at: number, text: string, end: string }

/** One replacement; `length` is 0 for an insertion. */
export interface Edit { at: number, length: number, text: string }

export interface FoundEdit { path: string, edit: Edit }

/** Undefined for bytes that are no whole text. */
export const fileText = (bytes: Buffer): FileText | undefined => {
  const { encoding, binary } = decodeText(bytes)
  if (binary) return undefined
  if (encoding === 'utf-8' || encoding === 'latin-1') {
    return {
      ...read(bytes.toString('latin1')),
      inserted: (text) => encoding === 'utf-8'
        ? Buffer.from(text, 'utf8').toString('latin1')
        : /^[\x20-\x7e\xa0-\xff\r\n\t]*$/.test(text) ? text : undefined,
      toBytes: (text) => Buffer.from(text, 'latin1')
    }
  }
  if (bytes.length % 2 === 1) return undefined
  const swapped = (utf16: Buffer): Buffer => encoding === 'utf-16be' ? Buffer.from(utf16).swap16() : utf16
  return {
    ...read(swapped(bytes).toString('utf16le')),
    inserted: (text) => text,
    toBytes: (text) => swapped(Buffer.from(text, 'utf16le'))
  }
}

const read = (text: string): Pick<FileText, 'text' | 'lines'> => {
  const parts = text.split(/(\r\n|\r|\n)/)
  const lines: Line[] = []
  for (let index = 0, at = 0; index < parts.length; index += 2) {
    const [line = '', end = ''] = parts.slice(index, index + 2)
    lines.push({ at, text: line, end })
    at += line.length + end.length
  }
  return { text, lines }
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
