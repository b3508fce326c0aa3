/**
 * Which embedders' vectors the database holds, and which of them this process can open: the chosen one, and who
 * answers meanwhile.
 */
import { runForAll } from '../lib/caller-context.js'
import type { EmbedderRow, VectorStore } from '../db/vector-store.js'
import { EmbedderUnavailable, type Embedder, type Scale } from './embedder.js'

/** The embedders of this process. */
export interface EmbedderPool {
  /** The one that the configuration chooses. Rejects with a `Refusal` when it cannot be opened. */
  chosen (): Promise<{ embedder: Embedder, settings: unknown }>
  /** One that was adopted earlier, as it would be opened now. */
  reopen (adopted: EmbedderRow): Promise<Embedder>
}

/** Turns questions into vectors that can be compared with those of the database. */
export interface ActiveEmbedder {
  embedder: Embedder
  /** Its number in the database. */
  id: number
  dimensions: number
  scale: Scale
}

export interface EmbedderRegistry {
  /** The chosen one; from the first time on the newest in the database, unless another process adopts its own. */
  own (signal: AbortSignal): Promise<{ id: number, embedder: Embedder }>
  newest (): Promise<EmbedderRow | undefined>
  /** Undefined while there is nobody. */
  activeForQueries (): Promise<ActiveEmbedder | undefined>
  /** What is known of the database is to be read again. */
  forget (): void
}

// Another process may have adopted an embedder, or be through with it.
const CACHE_MS = 2000
// Of a scale that nobody knows.
const DEFAULT_SCALE: Scale = { unrelated: 0.2, related: 0.7 }

export const createEmbedderRegistry = (
  store: Pick<VectorStore, 'adopt' | 'embedders'>, embedders: EmbedderPool
): EmbedderRegistry => {
  const open = new Map<number, Embedder>()
  let cachedRows: { rows: Promise<EmbedderRow[]>, until: number } | undefined
  let own: Promise<{ id: number, embedder: Embedder }> | undefined

  const adopt = async (signal: AbortSignal): Promise<{ id: number, embedder: Embedder }> => {
    const { embedder, settings } = await embedders.chosen()
    // A service that was not told how many to give says so with its first answer.
    if (embedder.dimensions === undefined) {
      await embedder.embed([{ parts: [{ text: 'size', weight: 1 }] }], {
        kind: 'document', signal
      })
    }
    const { id: name, version, dimensions } = embedder
    if (dimensions === undefined) throw new EmbedderUnavailable(`${name} does not say how many dimensions it has`)
    const { id, dimensions: adopted } = await store.adopt({ id: name, version, dimensions }, settings)
    if (adopted !== dimensions) throw new EmbedderUnavailable(`${name} gives ${dimensions} numbers, and gave ${adopted}: its name should change too`, 'permanent')
    open.set(id, embedder)
    cachedRows = undefined
    return { id, embedder }
  }

  const rows = (): Promise<EmbedderRow[]> => {
    if (!cachedRows || performance.now() > cachedRows.until) {
      cachedRows = { rows: runForAll(() => store.embedders()), until: performance.now() + CACHE_MS }
    }
    return cachedRows.rows
  }

  /** Undefined when it cannot be had as it was. */
  const openRow = async (row: EmbedderRow): Promise<Embedder | undefined> => {
    if (open.has(row.id)) return open.get(row.id)
    const embedder = await embedders.reopen(row).catch(() => undefined)
    if (embedder?.id !== row.name || embedder.version !== row.version) return undefined
    open.set(row.id, embedder)
    return embedder
  }

  return {
    own (signal) {
      own ??= adopt(signal).catch((error: unknown) => {
        own = undefined
        throw error
      })
      return own
    },

    newest: async () => (await rows())[0],

    async activeForQueries () {
      const all = await rows()
      for (const row of [...all.filter(({ complete }) => complete), ...all.slice(0, 1)]) {
        const embedder = await openRow(row)
        if (!embedder) continue
        const measured = {
          unrelated: row.unrelated ?? DEFAULT_SCALE.unrelated, related: row.related ?? DEFAULT_SCALE.related
        }
        return { embedder, id: row.id, dimensions: row.dimensions, scale: embedder.scale ?? measured }
      }
      return undefined
    },

    forget () {
      cachedRows = undefined
    }
  }
}
