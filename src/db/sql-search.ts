/**
 * Finding: what is named first, then by words and by meaning, over what the caller may see. It takes three statements,
 * and fewer where the caller is known to see many explorations.
 */
import { sqlTruncate } from './sql-truncate.js'
import { encodeCursor } from './cursor.js'
import type { Queryable, QueryOptions } from './database.js'
import { pageOf } from './page.js'
import { requireRow } from './require-row.js'
import { searchNearestStatement, type NearestSearch, type NearestVector } from './search-nearest-statement.js'
import { searchRankingStatement, type SearchRanking } from './search-ranking-statement.js'
import { MIN_COVERAGE, parseQuestion, type SearchQuestion } from './search-question.js'
import { FEW_EXPLORATIONS, searchWordsStatement, type QuestionWords } from './search-words-statement.js'
import { createSearchScales, type SearchScale } from './search-scale.js'
import type { Statement } from './search-scope.js'
import type { SearchHit, Page, SearchRequest } from '../planning/store.js'
import { vectorBytes } from './pgvector.js'

/** An embedder, and what its cosines say. */
export interface MeaningScale {
  /** The embedder's number in the database. */
  embedder: number
  dimensions: number
  /** The cosine of what has nothing to do with the question; what is no nearer is not found. */
  unrelated: number
  /** The cosine of what is just what the question asks for. */
  related: number
}

/** A question as a vector, and the scale of the embedder that made it. */
export interface Meaning extends MeaningScale { vector: Float32Array }

/** A hit as the database ranks it. */
export interface FoundWords extends Omit<SearchHit, 'snippet'> {
  /** Absent when it is still to be chosen. */
  snippet?: string
  /** How much of the question's words its texts hold, 0 to 1. */
  coverage: number
  /** What each word of the question weighs, by its stem; null when it has none. */
  words: Record<string, number> | null
}

type Question = SearchRequest & { meaning?: Meaning | undefined }

export interface SqlSearch {
  /** By words and names alone when `meaning` is absent. */
  find (question: Question): Promise<Page<FoundWords>>
  /** What is written in explorations, but for their titles, as far as anybody reads it; by id. */
  texts (ids: readonly string[], options?: QueryOptions): Promise<Map<string, string>>
}

const TEXTS = `
  select id, ${sqlTruncate('text')} as text
  from (
    select e.id, concat_ws(E'\\n\\n',
      (select string_agg(s ->> 'text', E'\\n\\n') from jsonb_array_elements(e.summaries) s),
      (select string_agg(concat_ws(' ', q ->> 'question', q ->> 'answer'), E'\\n\\n')
        from jsonb_array_elements(e.questions) q),
      (select string_agg(p.markdown, E'\\n\\n' order by p.artifact_type)
        from requirement_packages p where p.exploration_id = e.id)) as text
    from explorations e where e.id = any($1::uuid[]) offset 0
  ) texts`

export interface SqlSearchOptions {
  /** Whether others wait while a statement runs: what a search does in one statement is done in several then. */
  oneAtATime?: boolean
}

/** Returns the search on a database. */
export const sqlSearch = (db: Queryable, { oneAtATime = true }: SqlSearchOptions = {}): SqlSearch => {
  const scales = createSearchScales()

  const statementsOf = ({ meaning, limit, signal, caller }: Question, { scope, ...question }: SearchQuestion) => {
    const run = async <Row>({ statement, values }: Statement): Promise<Row[]> =>
      await db.query<Row>(statement, values, { signal, caller })
    const nearestOf = (compareAll: boolean): NearestSearch | undefined =>
      meaning && { ...scope, ...meaning, vector: vectorBytes(meaning.vector), compareAll }
    return {
      nearestOf,
      words: async () => requireRow(await run<QuestionWords>(searchWordsStatement({ ...scope, text: question.text }))),
      async nearest (compareAll: boolean): Promise<NearestVector[]> {
        const search = nearestOf(compareAll)
        return search ? await run(searchNearestStatement(search)) : []
      },
      rank: async <Row>(found: SearchRanking['found']) => await run<Row>(searchRankingStatement({
        ...scope,
        ...question,
        found,
        unrelated: meaning?.unrelated ?? 0,
        related: meaning?.related ?? 1,
        minCoverage: MIN_COVERAGE[meaning ? 'withMeaning' : 'alone'],
        limit: limit + 1
      }))
    }
  }

  /** In three statements, one after the other, so that others get their turn at the database between them. */
  const findAmongAny = async (request: Question, question: SearchQuestion): Promise<FoundWords[]> => {
    const statements = statementsOf(request, question)
    const { words, covered, fewVectors, size, seen } = await statements.words()
    if (seen > FEW_EXPLORATIONS) scales.set(request.visible, { size, fewVectors })
    const nearest = await statements.nearest(fewVectors)
    const ranked = await statements.rank<Omit<FoundWords, 'words'>>({ words, covered, nearest })
    const weights = words.length === 0 ? null : Object.fromEntries(words.map(({ lexeme, weight }) => [lexeme, weight]))
    return ranked.map((row) => ({ ...row, words: weights }))
  }

  /** The nearest come first: they show how much words alone would have to be worth. */
  const findAmongMany = async (
    request: Question, question: SearchQuestion, { size, fewVectors }: SearchScale
  ): Promise<FoundWords[]> => {
    const statements = statementsOf(request, question)
    const nearest = (oneAtATime ? undefined : statements.nearestOf(fewVectors)) ?? await statements.nearest(fewVectors)
    return await statements.rank({ size, nearest })
  }

  return {
    async find (request) {
      const question = parseQuestion(request)
      const scale = scales.get(request.visible)
      const rows = scale ? await findAmongMany(request, question, scale) : await findAmongAny(request, question)
      return pageOf(rows, request.limit, ({ score, id }) => encodeCursor(question.cursorTag, [score, id]))
    },

    async texts (ids, options) {
      const rows = await db.query<{ id: string, text: string }>(TEXTS, [ids], options)
      return new Map(rows.map(({ id, text }) => [id, text]))
    }
  }
}
