/**
 * Encodes texts as `to_tsvector` does, in the bytes of a tsvector. Parsing is the slowest part of it for the database,
 * so it parses each term once, not at each place where it occurs.
 */
import { randomBytes } from 'node:crypto'
import type { Queryable } from './database.js'

/** The parts of a text, the most important first, with the weight of their words. */
export type WeightedTexts = ReadonlyArray<readonly [weight: 'A' | 'B' | 'C' | 'D', text: string]>

/** Encodes the words of documents, with positions and weights. PostgreSQL reads these bytes faster than a text. */
export type EncodeTsvectors = (db: Queryable, documents: readonly WeightedTexts[]) => Promise<Buffer[]>

/** An indexed word, and its weighted positions in the document that is being written. */
interface EncodedWord { bytes: Buffer, document: number, positions: number[] }

/** A text between separators: the words that the database makes of it, with their positions in it. */
interface EncodedTerm { words: ReadonlyArray<readonly [EncodedWord, position: number]>, positions: number }

// No word of PostgreSQL's parser extends beyond these, except for tags between < and >, which it leaves out.
const SEPARATORS = /[\s,;()"*`|[\]{}<>]+/
const TRAILING = new Set(".:!?'")
const NOT_ASCII = /[\u0080-\uFFFF]/
const MAX_TERM_LENGTH = 500
const MAX_CACHED_TERMS = 100_000
// Documents are encoded in groups of this size, which bounds the number of new terms.
const CHARACTERS_PER_TURN = 500_000
// PostgreSQL's limits: positions of a word, their numbers and, with some reserve, bytes of a tsvector.
const MAX_POSITIONS = 255
const LAST_POSITION = 16_383
const MAX_BYTES = 1_000_000
const BYTES_PER_POSITION = 2
const BYTES_PER_WORD = 8
// A position has two bytes: the highest two bits are its weight.
const WEIGHTS = { A: 3 << 14, B: 2 << 14, C: 1 << 14, D: 0 }
// The bound of one text that the database parses, so that no word in it exceeds those limits.
const MAX_TERMS = 200
const MAX_CHARACTERS = 8000

/** The term without apostrophes before it, and without marks that end a sentence. */
const withoutEdges = (term: string): string => {
  let start = 0
  let end = term.length
  while (start < end && term[start] === "'") start++
  while (end > start && TRAILING.has(term[end - 1] ?? '')) end--
  return term.slice(start, end)
}

/** Creates an encoder with a cache of terms. Documents that are encoded together share the database's parsing. */
export const tsvectorEncoder = (): EncodeTsvectors => {
  const words = new Map<string, EncodedWord>()
  const terms = new Map<string, EncodedTerm>()
  let unknown: Array<readonly [string, EncodedTerm]> = []
  let document = 0

  const termsOf = (text: string): EncodedTerm[] =>
    text.split(SEPARATORS).map((term) => terms.get(term) ?? cacheTerm(term))

  /** Several spellings may be the same term. */
  const cacheTerm = (text: string): EncodedTerm => {
    const bare = withoutEdges(text).slice(0, MAX_TERM_LENGTH)
    const plain = NOT_ASCII.test(bare) ? bare : bare.toLowerCase()
    let term = terms.get(plain)
    if (!term) {
      term = { words: [], positions: 0 }
      terms.set(plain, term)
      unknown.push([plain, term])
    }
    if (text.length <= MAX_TERM_LENGTH) terms.set(text, term)
    return term
  }

  /** Lets the database parse all new terms. Each is followed by a mark that separates its words from the next. */
  const learn = async (db: Queryable): Promise<void> => {
    if (unknown.length === 0) return
    const mark = `x${randomBytes(6).toString('hex')}y`
    const pieces = inPieces(unknown)
    const rows = await db.query<{ words: string }>(
      `select to_tsvector('english', piece)::text as words
       from unnest($1::text[]) with ordinality as pieces (piece, number) order by number`,
      [pieces.map((piece) => piece.map(([plain], number) => ` ${plain} ${mark}${number}`).join(''))])
    for (const [number, piece] of pieces.entries()) assign(piece, rows[number]?.words ?? '', mark)
    unknown = []
  }

  const assign = (piece: ReadonlyArray<readonly [string, EncodedTerm]>, tsvector: string, mark: string): void => {
    const at: string[] = []
    const ends: number[] = []
    for (const [, text = '', positions = ''] of tsvector.matchAll(/'((?:[^']|'')*)':([\d,]+)/g)) {
      if (text.startsWith(mark)) ends[Number(text.slice(mark.length))] = Number(positions)
      else for (const position of positions.split(',')) at[Number(position)] = text
    }
    let end = 0
    for (const [number, [, term]] of piece.entries()) {
      const begin = end
      end = ends[number] ?? begin + 1
      term.positions = end - begin - 1
      term.words = at.slice(begin, end).flatMap((text, position) => [[wordOf(text), position] as const])
    }
  }

  const wordOf = (text: string): EncodedWord => {
    let word = words.get(text)
    if (!word) {
      word = { bytes: Buffer.from(`${plain(text)}\0`), document: 0, positions: [] }
      words.set(text, word)
    }
    return word
  }

  const write = (parts: ReadonlyArray<readonly [keyof typeof WEIGHTS, readonly EncodedTerm[]]>): Buffer => {
    const documentWords: EncodedWord[] = []
    let bytes = 0
    let before = 0
    document++
    for (const [weight, part] of parts) {
      for (const term of part) {
        for (const [word, position] of term.words) {
          const isRepeated = word.document === document
          const more = isRepeated ? BYTES_PER_POSITION : word.bytes.length + BYTES_PER_WORD
          const at = Math.min(before + position, LAST_POSITION)
          if (bytes + more > MAX_BYTES) continue
          if (!isRepeated) {
            word.document = document
            word.positions.length = 0
            documentWords.push(word)
          } else if (word.positions.length === MAX_POSITIONS || at <= ((word.positions.at(-1) ?? 0) & LAST_POSITION)) {
            continue
          }
          bytes += more
          word.positions.push(WEIGHTS[weight] | at)
        }
        before += term.positions
      }
    }
    return bytesOf(documentWords)
  }

  return async (db, documents) => {
    const vectors: Buffer[] = []
    let read: Array<ReadonlyArray<readonly [keyof typeof WEIGHTS, EncodedTerm[]]>> = []
    let characters = 0
    for (const parts of documents) {
      read.push(parts.map(([weight, text]) => [weight, termsOf(text)]))
      characters += parts.reduce((sum, [, text]) => sum + text.length, 0)
      if (characters < CHARACTERS_PER_TURN && vectors.length + read.length < documents.length) continue
      await learn(db)
      vectors.push(...read.map(write))
      read = []
      characters = 0
      if (terms.size > MAX_CACHED_TERMS) {
        words.clear()
        terms.clear()
      }
    }
    return vectors
  }
}

const inPieces = (
  unknown: ReadonlyArray<readonly [string, EncodedTerm]>
): Array<Array<readonly [string, EncodedTerm]>> => {
  const pieces: Array<Array<readonly [string, EncodedTerm]>> = []
  let room = 0
  for (const entry of unknown) {
    const last = pieces.at(-1)
    room -= entry[0].length
    if (last && room > 0 && last.length < MAX_TERMS) {
      last.push(entry)
    } else {
      pieces.push([entry])
      room = MAX_CHARACTERS - entry[0].length
    }
  }
  return pieces
}

/** A word without the escapes of a tsvector's text form. */
const plain = (text: string): string => text.replaceAll("''", "'").replaceAll('\\\\', '\\')

/** The binary form of a tsvector: the number of words, then each with a zero, its number of positions, and these. */
const bytesOf = (words: readonly EncodedWord[]): Buffer => {
  const length = words.reduce((sum, { bytes, positions }) => sum + bytes.length + 2 + positions.length * 2, 4)
  const tsvector = Buffer.allocUnsafe(length)
  let end = tsvector.writeInt32BE(words.length)
  for (const { bytes, positions } of words) {
    end += bytes.copy(tsvector, end)
    end = tsvector.writeUInt16BE(positions.length, end)
    for (const position of positions) {
      tsvector[end++] = position >> 8
      tsvector[end++] = position
    }
  }
  return tsvector
}
