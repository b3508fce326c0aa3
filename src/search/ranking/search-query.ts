/** Reads a search request: what its query may name besides its words, and where its page begins. */
import { createHash } from 'node:crypto'
import type { SearchRequest } from '../../planning/store.js'
import { sanitizeText } from '../../lib/text/text.js'
import { isUuid } from '../../lib/uuid.js'
import { decodeCursor } from '../../db/sql/cursor.js'
import { quotedPhrases, reference } from '../../db/sql/query-references.js'

export type SearchQuery = ReturnType<typeof parseQuery>

// Longer queries are compared with titles by their words alone.
const MAX_MISTYPED_LENGTH = 40
const MAX_TITLE_LENGTH = 500

/** Of the weight of the words: a text with less fits by accident, unless it fits by meaning. */
export const MIN_COVERAGE = { withMeaning: 0.35, alone: 0.15 }

/** @throws {Refusal} for a cursor of another query */
export const parseQuery = (
  { query, visible, status, tag, cursor }: Pick<SearchRequest, 'query' | 'visible' | 'status' | 'tag' | 'cursor'>
) => {
  const cursorTag = `find:${createHash('sha256').update(query).digest('base64url').slice(0, 12)}`
  const text = query.replaceAll('\0', ' ')
  const title = text.trim()
  return {
    cursorTag,
    /** Score and id of the last hit shown. */
    after: decodeCursor(cursorTag, cursor, isScoreAndId),
    scope: {
      visible,
      statuses: status?.length ? status : null,
      tag: tag === undefined ? undefined : sanitizeText(tag)
    },
    text,
    /** The number of an address. */
    reference: reference(text) ?? undefined,
    id: isUuid(title) ? title : undefined,
    title: title.length <= MAX_TITLE_LENGTH ? title : undefined,
    /** Where titles that are written nearly so are looked for. */
    mistyped: title.length <= MAX_MISTYPED_LENGTH ? title : undefined,
    phrases: quotedPhrases(text)
  }
}

const isScoreAndId = (position: unknown[]): position is [number, string] =>
  position.length === 2 && typeof position[0] === 'number' && typeof position[1] === 'string' && isUuid(position[1])
