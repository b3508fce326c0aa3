/**
 * Fills a ranker with what the embedded database has to be searched, and brings it up to date with what changed. More
 * than fits is left to the statements.
 */
import type { Database } from '../database.js'
import { EXPLORATIONS, type ExplorationRow, type QuestionContext, type ReadExploration } from './memory-statements.js'
import { RankerLost, type Ranker, type RankerMemory } from './ranker.js'
import type { WordStems } from './word-stems.js'

/** Explorations that one statement reads: a few milliseconds. */
const BATCH = 16

/** Before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/** The channel of the notifications that triggers send for what the ranker holds, and for names of workspaces. */
export const CHANGES_CHANNEL = 'search_changes'

const FOLLOW = `listen ${CHANGES_CHANNEL}; set exploration_mcp.search_revisions = 'on'; delete from search_revisions`

/** What the ranker holds, as far as this side knows. */
export interface Loaded {
  ranker: RankerMemory
  revision: number
  fits: boolean
  /** Explorations by workspace. */
  counts: Map<string, number>
}

export interface RankerLoader {
  /** What the ranker holds with the vectors of this embedder, of any when undefined; undefined when nothing. */
  current (embedder?: number): Loaded | undefined
  /** Reads what there is, with the vectors of this embedder; does nothing when that was done. */
  load (embedder: number | undefined): Promise<void>
  /** Reads what changed; resolves when that is done. */
  catchUp (changed: QuestionContext['changed']): Promise<void>
  /**
   * Notices by an error that the ranker has lost what it held.
   * @throws any other error
   */
  forget (lost: Loaded | undefined, error: unknown): void
}

/**
 * Creates the loader.
 * @param db the embedded database: it has one connection, and no other program writes to it
 * @param ranker holds the explorations
 * @param wordStems receives the stems of words that questions about the explorations may have
 */
export const createRankerLoader = (db: Database, ranker: Ranker, wordStems: WordStems): RankerLoader => {
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

  const current = (wanted?: number): Loaded | undefined =>
    wanted === undefined || wanted === embedder ? memory : undefined

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
    if (full || current(wanted)) return
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

  return { current, load, catchUp, forget }
}
