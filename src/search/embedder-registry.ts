/** Tracks which embedders have vectors in the database, and which of them answers queries now. */
import type { EmbedderRow, VectorStore } from './ranking/vector-store.js'
import { EmbedderUnavailable, type Embedder, type Scale } from './embedder.js'

/** The embedders of this process. */
export interface EmbedderPool {
  /** The configured embedder. Rejects with a `Refusal` when it cannot be opened. */
  configured (): Promise<{ embedder: Embedder, settings: unknown }>
  /** Opens a former embedder by its stored settings. */
  reopen (row: EmbedderRow): Promise<Embedder>
}

/** Turns queries into vectors that can be compared with those of the database. */
export interface ActiveEmbedder {
  embedder: Embedder
  /** Its id in the database. */
  id: number
  dimensions: number
  scale: Scale
}

export interface EmbedderRegistry {
  /** The configured embedder. The first call adopts it as the newest, unless another process adopts its own. */
  own (signal: AbortSignal): Promise<{ id: number, embedder: Embedder }>
  newest (): Promise<EmbedderRow | undefined>
  /** The embedder for queries; undefined while there is none. */
  activeForQueries (): Promise<ActiveEmbedder | undefined>
  /** Drops the cached rows of the database. */
  forget (): void
}

// Another process may adopt an embedder, or complete it.
const CACHE_MS = 2000
// For an embedder that is not calibrated.
const DEFAULT_SCALE: Scale = { unrelated: 0.2, related: 0.7 }

/** Reads and adopts embedders in `store`, and opens them from `embedders`. Rows are cached for 2 s. */
export const createEmbedderRegistry = (
  store: Pick<VectorStore, 'adopt' | 'embedders'>, embedders: EmbedderPool
): EmbedderRegistry => {
  const open = new Map<number, Embedder>()
  let cachedRows: { rows: Promise<EmbedderRow[]>, until: number } | undefined
  let own: Promise<{ id: number, embedder: Embedder }> | undefined

  const adopt = async (signal: AbortSignal): Promise<{ id: number, embedder: Embedder }> => {
    const { embedder, settings } = await embedders.configured()
    // A service without a configured dimension shows it in its first answer.
    if (embedder.dimensions === undefined) {
      await embedder.embed([{ parts: [{ text: 'size', weight: 1 }] }], {
        kind: 'document', signal
      })
    }
    const { id: name, version, dimensions } = embedder
    if (dimensions === undefined) throw new EmbedderUnavailable(`${name} does not say how many dimensions it has`)
    const { id, dimensions: storedDimensions } = await store.adopt({ id: name, version, dimensions }, settings)
    if (storedDimensions !== dimensions) {
      throw new EmbedderUnavailable(
        `${name} gives ${dimensions} numbers, and gave ${storedDimensions}: its name should change too`, 'permanent')
    }
    open.set(id, embedder)
    cachedRows = undefined
    return { id, embedder }
  }

  const rows = (): Promise<EmbedderRow[]> => {
    if (!cachedRows || performance.now() > cachedRows.until) {
      cachedRows = { rows: store.embedders(), until: performance.now() + CACHE_MS }
    }
    return cachedRows.rows
  }

  /** Undefined when it cannot be opened as it was. */
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
        const storedScale = {
          unrelated: row.unrelated ?? DEFAULT_SCALE.unrelated, related: row.related ?? DEFAULT_SCALE.related
        }
        return { embedder, id: row.id, dimensions: row.dimensions, scale: embedder.scale ?? storedScale }
      }
      return undefined
    },

    forget () {
      cachedRows = undefined
    }
  }
}
