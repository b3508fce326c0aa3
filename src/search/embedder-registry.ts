/** Tracks which embedders have vectors in the database, and which of them answers queries now. */
import type { EmbedderRow, VectorStore } from './ranking/vector-store.js'
import { EmbedderUnavailable, type Embedder, type Scale } from './embedder.js'

export interface EmbedderPool {
  /** The configured embedder. Rejects with a `Refusal` when it cannot be opened. */
  configured (): Promise<{ embedder: Embedder, settings: unknown }>
  reopen (row: EmbedderRow): Promise<Embedder>
}

export interface ActiveEmbedder {
  embedder: Embedder
  id: number
  dimensions: number
  scale: Scale
}

export type EmbedderRegistry = ReturnType<typeof createEmbedderRegistry>

// Another process may adopt an embedder, or complete it.
const CACHE_MS = 2000
// For an embedder that is not calibrated.
const DEFAULT_SCALE: Scale = { unrelated: 0.2, related: 0.7 }

/** Reads and adopts embedders in `store`, and opens them from `embedders`. Rows are cached for 2 s. */
export const createEmbedderRegistry = (
  store: Pick<VectorStore, 'adopt' | 'embedders'>, embedders: EmbedderPool
) => {
  let cachedRows: { rows: Promise<EmbedderRow[]>, until: number } | undefined
  let own: Promise<{ id: number, embedder: Embedder }> | undefined

  const adopt = async (signal: AbortSignal): Promise<{ id: number, embedder: Embedder }> => {
    const { embedder, settings } = await embedders.configured()
    // A service without a configured dimension shows it in its first answer.
    if (embedder.dimensions === undefined) {
      await embedder.embed([{ parts: [{ text: 'size', weight: 1 }] }], { kind: 'document', signal })
    }
    const { id: name, version, dimensions } = embedder
    if (dimensions === undefined) throw new EmbedderUnavailable(`${name} does not say how many dimensions it has`)
    const { id, dimensions: storedDimensions } = await store.adopt({ id: name, version, dimensions }, settings)
    if (storedDimensions !== dimensions) {
      throw new EmbedderUnavailable(
        `${name} gives ${dimensions} numbers, and gave ${storedDimensions}: its name should change too`, 'permanent')
    }
    cachedRows = undefined
    return { id, embedder }
  }

  const rows = (): Promise<EmbedderRow[]> => {
    if (!cachedRows || performance.now() > cachedRows.until) {
      cachedRows = { rows: store.embedders(), until: performance.now() + CACHE_MS }
    }
    return cachedRows.rows
  }

  return {
    /** The configured embedder. The first call adopts it as the newest, unless another process adopts its own. */
    own (signal: AbortSignal) {
      own ??= adopt(signal).catch((error: unknown) => {
        own = undefined
        throw error
      })
      return own
    },

    newest: async (): Promise<EmbedderRow | undefined> => (await rows())[0],

    /** The embedder for queries; undefined while there is none. */
    async activeForQueries (): Promise<ActiveEmbedder | undefined> {
      const all = await rows()
      for (const row of [...all.filter(({ complete }) => complete), ...all.slice(0, 1)]) {
        const embedder = await embedders.reopen(row).catch(() => undefined)
        // It cannot be opened as it was.
        if (embedder?.id !== row.name || embedder.version !== row.version) continue
        const { id, dimensions, unrelated, related } = row
        const scale = unrelated === null || related === null ? DEFAULT_SCALE : { unrelated, related }
        return { embedder, id, dimensions, scale: embedder.scale ?? scale }
      }
      return undefined
    },

    forget () {
      cachedRows = undefined
    }
  }
}
