/** Finding: what is named first, then by words and by meaning, in three statements over what the caller may see. */
import { sqlTruncate } from './sql-truncate.js'
import { encodeCursor } from './cursor.js'
import type { Queryable, QueryOptions } from './database.js'
import { pageOf } from './page.js'
import { requireRow } from './require-row.js'
import { searchNearestStatement, type NearestVector } from './search-nearest-statement.js'
import { searchRankingStatement } from './search-ranking-statement.js'
import { MIN_COVERAGE, parseQuestion } from './search-question.js'
import { searchWordsStatement, type QuestionWords } from './search-words-statement.js'
import type { Statement } from './search-scope.js'
import type { SearchHit, Page, SearchRequest } from '../planning/store.js'
import { vectorBytes } from './pgvector.js'

/** A question as a vector, and the scale of the embedder that made it. */
export interface Meaning {
  /** The embedder's number in the database. */
  embedder: number
  dimensions: number
  vector: Float32Array
  /** The cosine of what has nothing to do with the question; what is no nearer is not found. */
  unrelated: number
  /** The cosine of what is just what the question asks for. */
  related: number
}

/** A hit as the database ranks it. */
export interface FoundWords extends Omit<SearchHit, 'snippet'> {
  /** Absent when it is still to be chosen. */
  snippet?: string
  /** How much of the question's words its texts hold, 0 to 1. */
  coverage: number
  /** What each word of the question weighs, by its stem; null when it has none. */
  words: Record<string, number> | null
}

export interface SqlSearch {
  /** By words and names alone when `meaning` is absent. */
  find (question: SearchRequest & { meaning?: Meaning | undefined }): Promise<Page<FoundWords>>
  /** What is written in explorations, but for their titles, as far as anybody reads it; by id. */
  texts (ids: readonly string[], options?: QueryOptions): Promise<Map<string, string>>
}

// Characters of each that are read.
const READ = 200_000

const TEXTS = `
  select id, ${sqlTruncate('text', READ)} as text
  from (
    select e.id, concat_ws(E'\\n\\n',
      (select string_agg(s ->> 'text', E'\\n\\n') from jsonb_array_elements(e.summaries) s),
      (select string_agg(concat_ws(' ', q ->> 'question', q ->> 'answer'), E'\\n\\n')
        from jsonb_array_elements(e.questions) q),
      (select string_agg(p.markdown, E'\\n\\n' order by p.artifact_type)
        from requirement_packages p where p.exploration_id = e.id)) as text
    from explorations e where e.id = any($1::uuid[]) offset 0
  ) texts`

/** Returns the search on a database. */
export const sqlSearch = (db: Queryable): SqlSearch => ({
  async find (request) {
    const { limit, signal, caller, meaning } = request
    const { cursorTag, scope, text, ...named } = parseQuestion(request)
    const run = async <Row>({ statement, values }: Statement): Promise<Row[]> =>
      await db.query<Row>(statement, values, { signal, caller })
    // One after the other, so that others get their turn at the database between them.
    const question = await run<QuestionWords>(searchWordsStatement({ ...scope, text }))
    const { words, covered, fewVectors } = requireRow(question)
    const nearest = meaning
      ? await run<NearestVector>(searchNearestStatement({
        ...scope, ...meaning, vector: vectorBytes(meaning.vector), compareAll: fewVectors
      }))
      : []
    const ranked = await run<Omit<FoundWords, 'words'>>(searchRankingStatement({
      ...scope,
      words,
      covered,
      nearest,
      unrelated: meaning?.unrelated ?? 0,
      related: meaning?.related ?? 1,
      minCoverage: MIN_COVERAGE[meaning ? 'withMeaning' : 'alone'],
      ...named,
      limit: limit + 1
    }))
    const weights = words.length === 0 ? null : Object.fromEntries(words.map(({ lexeme, weight }) => [lexeme, weight]))
    const rows = ranked.map((row) => ({ ...row, words: weights }))
    return pageOf(rows, limit, ({ score, id }) => encodeCursor(cursorTag, [score, id]))
  },

  async texts (ids, options) {
    const rows = await db.query<{ id: string, text: string }>(TEXTS, [ids], options)
    return new Map(rows.map(({ id, text }) => [id, text]))
  }
})
