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
import type { SqlSearch } from '../sql-search.js'
import type { Page, SearchHit, SearchRequest } from '../../planning/store.js'
import { alikeStatement } from './memory-statements.js'
import { parsePhrase } from './phrases.js'
import { createContextReader, type CallerView } from './question-context.js'
import type { RankedHit, Ranker, RankMeaning, RankReply, RankRequest } from './ranker.js'
import { CHANGES_CHANNEL, createRankerLoader, type Loaded } from './ranker-loader.js'
import { createWordStems } from './word-stems.js'

export interface MemorySearch {
  /**
   * Finds in memory; by words and names alone when `meaning` is absent. Resolves with undefined when the statements
   * have to answer: because of the question, or because the memory is not loaded, which begins then.
   */
  find (question: MemoryQuestion): Promise<Page<SearchHit> | undefined>
  /**
   * Reads what there is into the memory, with the vectors of this embedder; does nothing when that was done. Without it
   * the first question starts it.
   */
  load (embedder: number | undefined): Promise<void>
}

/** A question that the ranker may have to embed, so that it need not be asked twice. */
export type MemoryQuestion = SearchRequest & { meaning?: RankMeaning | undefined }

type Ranked = Extract<RankReply, { undecided: false }>

/**
 * Creates the search.
 * @param db the embedded database: it has one connection, and no other program writes to it
 * @param sql reads texts from the same database
 * @param ranker holds the explorations, and ranks them
 */
export const createMemorySearch = (
  db: Database, sql: Pick<SqlSearch, 'texts'>, ranker: Ranker
): MemorySearch => {
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
    { ranker }: Loaded, { mistyped }: SearchQuestion, request: RankRequest, options: QueryOptions
  ): Promise<Ranked | undefined> => {
    const reply = await ranker.rank(request, options)
    if (!reply.undecided) return reply
    const { statement, values } = alikeStatement(request, mistyped ?? '')
    const alike = await db.query<{ id: string }>(statement, values, options)
    const decided = await ranker.rank({ ...request, alike: alike.map(({ id }) => id) }, options)
    return decided.undecided ? undefined : decided
  }

  /** Has the texts read that are not in memory. */
  const snippetsOf = async (
    { ranker, revision }: Loaded, hits: readonly RankedHit[], query: string, { weights, byMeaning }: Ranked,
    options: QueryOptions
  ): Promise<ReadonlyMap<string, string>> => {
    const missing = hits.filter(({ snippet }) => snippet === undefined).map(({ summary: { id } }) => id)
    if (missing.length === 0) return NO_SNIPPETS
    const texts = await sql.texts(missing, options)
    return await ranker.explain({ query, byMeaning, words: Object.fromEntries(weights), texts, revision }, options)
  }

  const findInMemory = async (request: MemoryQuestion): Promise<Page<SearchHit> | undefined> => {
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
    const options = { signal, caller }
    const ranked = await rank(current, question, {
      visible: scope.visible,
      statuses: scope.statuses,
      tag: scope.tag,
      query,
      after,
      id,
      reference,
      title: view.stemmed.title ?? undefined,
      stems: view.stemmed.stems,
      phrases,
      alike: question.mistyped === undefined ? [] : undefined,
      meaning,
      limit: limit + 1
    }, options)
    if (!ranked) return undefined
    const snippets = await snippetsOf(current, ranked.hits.slice(0, limit), query, ranked, options)
    const rows = withWorkspaces(ranked.hits, snippets, scope.visible, view)
    return pageOf(rows, limit, ({ score, id }) => encodeCursor(question.cursorTag, [score, id]))
  }

  return {
    load: memory.load,

    async find (request) {
      const embedder = request.meaning?.embedder
      const asked = memory.current(embedder)
      if (asked) {
        try {
          const found = await findInMemory(request)
          if (found) return found
        } catch (error) {
          memory.forget(asked, error)
        }
      }
      // What fails here fails again for the statement, which has somebody to tell.
      if (!memory.current(embedder)) memory.load(embedder).catch(() => {})
      return undefined
    }
  }
}

const NO_SNIPPETS: ReadonlyMap<string, string> = new Map()

/** Returns the hits as they are shown; none of a workspace that is hidden, or does not exist any more. */
const withWorkspaces = (
  hits: readonly RankedHit[], snippets: ReadonlyMap<string, string>, visible: readonly string[],
  { workspaces }: CallerView
): SearchHit[] => {
  const rows: SearchHit[] = []
  for (const { summary, score, snippet } of hits) {
    const workspace = visible.includes(summary.workspace_id)
      ? workspaces.find(({ id }) => id === summary.workspace_id)
      : undefined
    if (!workspace) continue
    // A literal of all fields, because a spread takes longer.
    rows.push({
      id: summary.id,
      workspace_id: summary.workspace_id,
      title: summary.title,
      status: summary.status,
      tags: summary.tags,
      updated_at: summary.updated_at,
      artifact_types: summary.artifact_types,
      has_plan: summary.has_plan,
      workspace,
      score,
      snippet: (snippet ?? snippets.get(summary.id)) || summary.title
    })
  }
  return rows
}
