/**
 * The search of the embedded server: questions of callers who see few explorations are answered from memory. One small
 * statement, shared by the questions of a moment, proves for each that the memory is as the database, and reads the
 * names of the workspaces; what changed is read anew first. All others are left to the statements.
 */
import { encodeCursor } from '../cursor.js'
import type { Database } from '../database.js'
import { pageOf } from '../page.js'
import { FEW_EXPLORATIONS } from '../search-words-statement.js'
import { parseQuestion } from '../search-question.js'
import type { FoundWords, SqlSearch } from '../sql-search.js'
import { batchLoader } from '../../lib/batch-loader.js'
import { createEventLoopYield } from '../../lib/event-loop-yield.js'
import type { Page } from '../../planning/store.js'
import {
  alikeStatement, EXPLORATIONS, READ_QUESTION_CONTEXT, type ExplorationRow, type QuestionContext
} from './memory-statements.js'
import { rankExplorations } from './rank-explorations.js'
import { createSearchMemory, type SearchMemory } from './search-memory.js'
import { weighWords } from './weigh-words.js'

export interface MemorySearch extends SqlSearch {
  /**
   * Reads what there is into the memory, with the vectors of this embedder; does nothing when that was done. Without it
   * the first question starts it, and the statements answer until it is done.
   */
  load (embedder: number | undefined): Promise<void>
}

/** Explorations that one statement reads: a few milliseconds. */
const BATCH = 16
/** Who asks while much is written is not kept waiting: the statements answer then. */
const MAX_LOOKS = 4

/** Before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Questions that were looked up together are ranked one after the other, for so many milliseconds in a turn. */
const SLICE_MS = 2

const yieldToEventLoop = createEventLoopYield(SLICE_MS)

const FOLLOW = "set exploration_mcp.search_revisions = 'on'; delete from search_revisions"

interface Question { text: string, title: string | null, visible: readonly string[] }
interface CallerView { title: string | null, stems: string[], workspaces: QuestionContext['workspaces'] }

/**
 * Creates the search.
 * @param db the embedded database: it has one connection, and no other program writes to it
 * @param sql the search by statements on the same database
 */
export const createMemorySearch = (db: Database, sql: SqlSearch): MemorySearch => {
  let memory: SearchMemory | undefined
  let embedder: number | undefined
  let loading: Promise<void> | undefined
  /** Whether there is too much to remember. */
  let full = false

  const read = async (into: SearchMemory, ids: readonly string[], revision: number): Promise<void> => {
    const rows = await db.query<ExplorationRow>(EXPLORATIONS, [ids, embedder ?? null])
    into.apply(ids, rows, revision)
  }

  const idsAfter = async (id: string): Promise<string[]> => {
    const rows = await db.query<{ id: string }>(
      `select id from explorations where id > $1::uuid order by id limit ${BATCH}`, [id])
    return rows.map(({ id }) => id)
  }

  const loadAll = async (): Promise<void> => {
    const fresh = createSearchMemory()
    // What is written from now on has a revision, and is read again.
    await db.script(FOLLOW)
    let ids = await idsAfter(FIRST)
    while (ids.length > 0 && fresh.fits) {
      await read(fresh, ids, 0)
      ids = await idsAfter(ids.at(-1) ?? FIRST)
    }
    full = !fresh.fits
    memory = full ? undefined : fresh
  }

  const startLoading = async (embedderId: number | undefined): Promise<void> => {
    memory = undefined
    embedder = embedderId
    await loadAll()
  }

  const load = (embedderId: number | undefined): Promise<void> => {
    if (full || (memory && (embedderId === undefined || embedderId === embedder))) return Promise.resolve()
    loading ??= startLoading(embedderId).finally(() => { loading = undefined })
    return loading
  }

  let catchingUp: Promise<void> | undefined
  const catchUp = (changed: QuestionContext['changed']): Promise<void> => {
    const following = memory
    if (!following) return Promise.resolve()
    catchingUp ??= read(following, changed.map(({ id }) => id), changed.at(-1)?.revision ?? 0).finally(() => {
      catchingUp = undefined
      if (following.fits) return
      full = true
      memory = undefined
    })
    return catchingUp
  }

  /** Undefined when the memory is behind the database: it is brought up to date then. */
  const readContext = batchLoader<CallerView>(async (keys) => {
    const questions = keys.map((key): Question => JSON.parse(key))
    const visible = [...new Set(questions.flatMap(({ visible }) => visible))]
    const [view] = await db.query<QuestionContext>(READ_QUESTION_CONTEXT, [
      questions.map(({ text }) => text), questions.map(({ title }) => title), visible, memory?.revision ?? 0])
    if (!view || view.changed.length > 0) {
      await catchUp(view?.changed ?? [])
      return new Map()
    }
    const { workspaces } = view
    return new Map(keys.map((key, index) =>
      [key, { title: null, stems: [], ...view.questions[index], workspaces }]))
  }, { concurrency: 1 })

  const findInMemory = async (
    request: Parameters<SqlSearch['find']>[0]
  ): Promise<Page<FoundWords> | undefined> => {
    const { meaning, limit, signal, caller } = request
    const question = parseQuestion(request)
    const { text, title, scope: { visible, ...wanted } } = question
    // Who sees many is not looked up in vain.
    if (question.phrases.length > 0 || (memory && memory.countOf(visible) > FEW_EXPLORATIONS)) return undefined
    const key = JSON.stringify({ text, title: title ?? null, visible } satisfies Question)
    let view: CallerView | undefined
    for (let looks = 0; !view && looks < MAX_LOOKS; looks++) {
      view = await readContext(key)
      signal?.throwIfAborted()
    }
    await yieldToEventLoop()
    if (!view || !memory || (meaning && meaning.embedder !== embedder)) return undefined
    const explorations = memory.of(visible)
    if (explorations.length > FEW_EXPLORATIONS) return undefined
    const words = weighWords(explorations, view.stems, memory.numberOf)
    const { statement, values } = alikeStatement({ visible, ...wanted }, question.mistyped ?? '')
    const alike = question.mistyped === undefined || words.allKnown
      ? []
      : await db.query<{ id: string }>(statement, values, { signal, caller })
    const ranked = rankExplorations(explorations, {
      ...question,
      ...wanted,
      title: view.title ?? undefined,
      words,
      alike: new Set(alike.map(({ id }) => id)),
      meaning,
      limit: limit + 1
    })
    const workspaces = new Map(view.workspaces.map((workspace) => [workspace.id, workspace]))
    const weights = words.weights.length === 0 ? null : Object.fromEntries(words.weights)
    const rows = ranked.flatMap(({ summary, score, coverage }): FoundWords[] => {
      const workspace = workspaces.get(summary.workspace_id)
      return workspace ? [{ ...summary, workspace, score, coverage, words: weights }] : []
    })
    return pageOf(rows, limit, ({ score, id }) => encodeCursor(question.cursorTag, [score, id]))
  }

  return {
    load,

    async find (request) {
      const { meaning } = request
      if (memory && (!meaning || meaning.embedder === embedder)) {
        const page = await findInMemory(request)
        if (page) return page
      } else {
        // What fails here fails again for the statement, which has somebody to tell.
        load(meaning?.embedder).catch(() => {})
      }
      return await sql.find(request)
    },

    async texts (ids, options) {
      const current = memory
      if (!current) return await sql.texts(ids, options)
      const texts = new Map(ids.flatMap((id) => {
        const text = current.text(id)
        return text === undefined ? [] : [[id, text] as const]
      }))
      const missing = ids.filter((id) => !texts.has(id))
      if (missing.length === 0) return texts
      const { revision } = current
      for (const [id, text] of await sql.texts(missing, options)) {
        texts.set(id, text)
        // What changed meanwhile was forgotten before this text came.
        if (current.revision === revision) current.rememberText(id, text)
      }
      return texts
    }
  }
}
