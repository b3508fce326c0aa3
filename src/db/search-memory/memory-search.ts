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
import {
  alikeStatement, EXPLORATIONS, type ExplorationRow, type QuestionContext, type ReadExploration
} from './memory-statements.js'
import { createContextReader } from './question-context.js'
import { createWordStems } from './word-stems.js'
import {
  RankerLost, type RankedHit, type Ranker, type RankerMemory, type RankReply, type RankRequest
} from './ranker.js'

export interface MemorySearch extends SqlSearch {
  /**
   * Reads what there is into the memory, with the vectors of this embedder; does nothing when that was done. Without it
   * the first question starts it, and the statements answer until it is done.
   */
  load (embedder: number | undefined): Promise<void>
}

/** Explorations that one statement reads: a few milliseconds. */
const BATCH = 16

/** Before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Of the notifications that triggers send. */
const CHANNEL = 'search_changes'

const FOLLOW = `listen ${CHANNEL}; set exploration_mcp.search_revisions = 'on'; delete from search_revisions`

type Request = Parameters<SqlSearch['find']>[0]
type Ranked = Extract<RankReply, { undecided: false }>

/** What the ranker holds, as far as this side knows. */
interface Loaded {
  ranker: RankerMemory
  revision: number
  fits: boolean
  /** Explorations by workspace. */
  counts: Map<string, number>
}

/**
 * Creates the search.
 * @param db the embedded database: it has one connection, and no other program writes to it
 * @param sql the search by statements on the same database
 * @param ranker holds the explorations, and ranks them
 */
export const createMemorySearch = (db: Database, sql: SqlSearch, ranker: Ranker): MemorySearch => {
  const wordStems = createWordStems()
  let memory: Loaded | undefined
  let embedder: number | undefined
  let loading: Promise<void> | undefined
  /** Whether there is too much to remember. */
  let full = false

  const read = async (into: Loaded, ids: readonly string[], revision: number): Promise<void> => {
    const found = await db.query<ReadExploration>(EXPLORATIONS, [ids, embedder ?? null])
    const rows = found.map(({ stems, ...row }): ExplorationRow => {
      wordStems.add(Object.keys(stems ?? {}), Object.values(stems ?? {}))
      return row
    })
    const { fits, counts } = await into.ranker.apply({ ids, rows, revision })
    for (const [workspace, count] of counts) into.counts.set(workspace, count)
    into.fits = fits
    into.revision = Math.max(into.revision, revision)
  }

  const idsAfter = async (id: string): Promise<string[]> => {
    const rows = await db.query<{ id: string }>(
      `select id from explorations where id > $1::uuid order by id limit ${BATCH}`, [id])
    return rows.map(({ id }) => id)
  }

  const loadAll = async (): Promise<void> => {
    const fresh: Loaded = { ranker: await ranker.begin(), revision: 0, fits: true, counts: new Map() }
    // What is written from now on has a revision, and is read again.
    await db.script(FOLLOW)
    let ids = await idsAfter(FIRST)
    while (ids.length > 0 && fresh.fits) {
      await read(fresh, ids, 0)
      ids = await idsAfter(ids.at(-1) ?? FIRST)
    }
    if (fresh.fits) memory = fresh
    else await giveUp()
  }

  /** The ranker drops what it holds. */
  const giveUp = async (): Promise<void> => {
    full = true
    memory = undefined
    await ranker.begin()
  }

  const startLoading = async (embedderId: number | undefined): Promise<void> => {
    memory = undefined
    embedder = embedderId
    await loadAll()
  }

  /** Whether there is a memory with the vectors of this embedder; of any when undefined. */
  const isLoaded = (wanted: number | undefined): boolean =>
    memory !== undefined && (wanted === undefined || wanted === embedder)

  const forget = (lost: Loaded | undefined, error: unknown): void => {
    if (!(error instanceof RankerLost)) throw error
    if (memory === lost) memory = undefined
  }

  /** Notices when the ranker has lost its memory, as its thread ends when nobody asks for a while. */
  const probe = async (): Promise<void> => {
    const probed = memory
    await probed?.ranker.apply({ ids: [], rows: [], revision: probed.revision })
      .catch((error: unknown) => forget(probed, error))
  }

  const load = async (wanted: number | undefined): Promise<void> => {
    await probe()
    if (full || isLoaded(wanted)) return
    loading ??= startLoading(wanted).finally(() => { loading = undefined })
    await loading
  }

  const readChanges = async (into: Loaded, changed: QuestionContext['changed']): Promise<void> => {
    await read(into, changed.map(({ id }) => id), changed.at(-1)?.revision ?? 0)
    if (!into.fits) await giveUp()
  }

  let catchingUp: Promise<void> | undefined
  const catchUp = (changed: QuestionContext['changed']): Promise<void> => {
    const following = memory
    if (!following) return Promise.resolve()
    catchingUp ??= readChanges(following, changed).finally(() => { catchingUp = undefined })
    return catchingUp
  }

  let changes = 0
  db.onNotification?.((channel) => { if (channel === CHANNEL) changes++ })
  const readContext = createContextReader(db, {
    memory: () => memory,
    changes: () => db.onNotification && changes,
    wordStems,
    catchUp
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
    const { after, id, reference, phrases, scope } = question
    const countOf = ({ counts }: Loaded): number =>
      [...new Set(scope.visible)].reduce((sum, workspace) => sum + (counts.get(workspace) ?? 0), 0)
    // Who sees many is not looked up in vain.
    if (phrases.length > 0 || (memory && countOf(memory) > FEW_EXPLORATIONS)) return undefined
    const view = await readContext(question, signal)
    const current = memory
    if (!view || !current || (meaning && meaning.embedder !== embedder) || countOf(current) > FEW_EXPLORATIONS) {
      return undefined
    }
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
    const asked = memory
    try {
      return await findInMemory(request)
    } catch (error) {
      forget(asked, error)
      return undefined
    }
  }

  return {
    load,

    async find (request) {
      const { meaning } = request
      if (isLoaded(meaning?.embedder)) {
        const found = await findIfHeld(request)
        if (found) return found
      }
      // What fails here fails again for the statement, which has somebody to tell.
      if (!isLoaded(meaning?.embedder)) load(meaning?.embedder).catch(() => {})
      return await sql.find(request)
    },

    texts: sql.texts
  }
}
