/**
 * The search from memory: questions of callers who see few explorations are ranked by what a ranker holds, mostly in a
 * thread of its own. The database tells of each commit that changed something. After one, a small statement, shared by
 * the questions of a moment, reads what changed since the memory was filled, and that is read anew first. All other
 * questions are left to the statements.
 */
import { encodeCursor } from '../cursor.js'
import type { Database, QueryOptions } from '../database.js'
import { pageOf } from '../page.js'
import { FEW_EXPLORATIONS } from '../search-words-statement.js'
import { parseQuestion, type SearchQuestion } from '../search-question.js'
import type { FoundWords, SqlSearch } from '../sql-search.js'
import type { Page } from '../../planning/store.js'
import { alikeStatement } from './memory-statements.js'
import { parsePhrase } from './phrases.js'
import { createContextReader } from './question-context.js'
import type { RankedHit, Ranker, RankReply, RankRequest } from './ranker.js'
import { CHANGES_CHANNEL, createRankerLoader, type Loaded } from './ranker-loader.js'
import { createWordStems } from './word-stems.js'

export interface MemorySearch extends SqlSearch {
  /**
   * Reads what there is into the memory, with the vectors of this embedder; does nothing when that was done. Without it
   * the first question starts it, and the statements answer until it is done.
   */
  load (embedder: number | undefined): Promise<void>
}

type Request = Parameters<SqlSearch['find']>[0]
type Ranked = Extract<RankReply, { undecided: false }>

/**
 * Creates the search.
 * @param db the embedded database: it has one connection, and no other program writes to it
 * @param sql the search by statements on the same database
 * @param ranker holds the explorations, and ranks them
 */
export const createMemorySearch = (db: Database, sql: SqlSearch, ranker: Ranker): MemorySearch => {
  const wordStems = createWordStems()
  const memory = createRankerLoader(db, ranker, wordStems)
  let changes = 0
  db.onNotification?.((channel) => { if (channel === CHANGES_CHANNEL) changes++ })
  const readContext = createContextReader(db, {
    memory: memory.current,
    changes: () => db.onNotification && changes,
    wordStems,
    catchUp: memory.catchUp
  })

  /** Asks for titles that are nearly the question only when some of its words are unknown. */
  const rank = async (
    { ranker }: Loaded, question: SearchQuestion, request: Omit<RankRequest, 'alike'>, options: QueryOptions
  ): Promise<Ranked | undefined> => {
    const { mistyped } = question
    const reply = await ranker.rank({ ...request, alike: mistyped === undefined ? [] : undefined }, options)
    if (!reply.undecided) return reply
    const { statement, values } = alikeStatement(request, mistyped ?? '')
    const alike = await db.query<{ id: string }>(statement, values, options)
    const decided = await ranker.rank({ ...request, alike: alike.map(({ id }) => id) }, options)
    return decided.undecided ? undefined : decided
  }

  /** Has the texts read that are not in memory. */
  const addSnippets = async (
    { ranker, revision }: Loaded, hits: readonly RankedHit[],
    { query, byMeaning }: Pick<RankRequest, 'query' | 'byMeaning'>, words: Record<string, number>, options: QueryOptions
  ): Promise<ReadonlyMap<string, string>> => {
    const missing = hits.filter(({ snippet }) => snippet === undefined).map(({ summary: { id } }) => id)
    if (missing.length === 0) return new Map()
    const texts = await sql.texts(missing, options)
    return await ranker.explain({ query, byMeaning, words, texts, revision }, options)
  }

  const findInMemory = async (request: Request): Promise<Page<FoundWords> | undefined> => {
    const { query, meaning, limit, signal, caller } = request
    const question = parseQuestion(request)
    const { after, id, reference, scope } = question
    const countOf = ({ counts }: Loaded): number =>
      [...new Set(scope.visible)].reduce((sum, workspace) => sum + (counts.get(workspace) ?? 0), 0)
    // Who sees many is not looked up in vain.
    const before = memory.current()
    if (before && countOf(before) > FEW_EXPLORATIONS) return undefined
    const view = await readContext(question, signal)
    const current = memory.current(meaning?.embedder)
    if (!view || !current || countOf(current) > FEW_EXPLORATIONS) return undefined
    const phrases = view.stemmed.phrases.map(parsePhrase)
    if (!phrases.every((phrase) => phrase !== undefined)) return undefined
    const byMeaning = meaning !== undefined
    const ranked = await rank(current, question, {
      ...scope,
      query,
      byMeaning,
      after,
      id,
      reference,
      title: view.stemmed.title ?? undefined,
      stems: view.stemmed.stems,
      phrases,
      meaning,
      limit: limit + 1
    }, { signal, caller })
    if (!ranked) return undefined
    const { weights, hits } = ranked
    const words = Object.fromEntries(weights)
    const snippets = await addSnippets(current, hits.slice(0, limit), { query, byMeaning }, words, {
      signal, caller
    })
    const visible = new Set(scope.visible)
    const workspaces = new Map(view.workspaces.filter(({ id }) => visible.has(id)).map((found) => [found.id, found]))
    const rows = hits.flatMap(({ summary, score, coverage, snippet }): FoundWords[] => {
      const workspace = workspaces.get(summary.workspace_id)
      const shown = (snippet ?? snippets.get(summary.id)) || summary.title
      return workspace
        ? [{ ...summary, workspace, score, coverage, words: weights.length === 0 ? null : words, snippet: shown }]
        : []
    })
    return pageOf(rows, limit, ({ score, id }) => encodeCursor(question.cursorTag, [score, id]))
  }

  /** Undefined when the statements have to answer: because of the question, or because the ranker lost its memory. */
  const findIfHeld = async (request: Request): Promise<Page<FoundWords> | undefined> => {
    const asked = memory.current()
    try {
      return await findInMemory(request)
    } catch (error) {
      memory.forget(asked, error)
      return undefined
    }
  }

  return {
    load: memory.load,

    async find (request) {
      const { meaning } = request
      if (memory.current(meaning?.embedder)) {
        const found = await findIfHeld(request)
        if (found) return found
      }
      // What fails here fails again for the statement, which has somebody to tell.
      if (!memory.current(meaning?.embedder)) memory.load(meaning?.embedder).catch(() => {})
      return await sql.find(request)
    },

    texts: sql.texts
  }
}
