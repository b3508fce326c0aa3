/** Which embedders' vectors the database holds, and which of them this process can open: the chosen one, and who answers meanwhile. */
import { runForAll } from '../lib/caller-context.js'
import type { Adopted, IndexStore } from '../db/vector-store.js'
import { EmbedderAway, type Embedder, type Scale } from './embedder.js'

/** The embedders of this process. */
export interface Embedders {
  /** The one that the configuration chooses. Rejects with a `Refusal` when it cannot be opened. */
  chosen (): Promise<{ embedder: Embedder, settings: unknown }>
  /** One that was adopted earlier, as it would be opened now. */
  reopen (adopted: Adopted): Promise<Embedder>
}

/** Turns questions into vectors that can be compared with those of the database. */
export interface Answering {
  embedder: Embedder
  /** Its number in the database. */
  id: number
  dimensions: number
  scale: Scale
}

export interface AdoptedEmbedders {
  /** The chosen one; from the first time on the newest in the database, unless another process adopts its own. */
  mine (signal: AbortSignal): Promise<{ id: number, embedder: Embedder }>
  newest (): Promise<Adopted | undefined>
  /** Undefined while there is nobody. */
  answering (): Promise<Answering | undefined>
  /** What is known of the database is to be read again. */
  forget (): void
}

// Another process may have adopted an embedder, or be through with it.
const KNOWN_FOR_MS = 2000
// Of a scale that nobody knows.
const USUAL: Scale = { unrelated: 0.2, related: 0.7 }

export const adoptedEmbedders = (store: Pick<IndexStore, 'adopt' | 'embedders'>, embedders: Embedders): AdoptedEmbedders => {
  const open = new Map<number, Embedder>()
  let known: { rows: Promise<Adopted[]>, until: number } | undefined
  let mine: Promise<{ id: number, embedder: Embedder }> | undefined

  const adopt = async (signal: AbortSignal): Promise<{ id: number, embedder: Embedder }> => {
    const { embedder, settings } = await embedders.chosen()
    // A service that was not told how many to give says so with its first answer.
    if (embedder.dimensions === undefined) await embedder.embed([{ parts: [{ text: 'size', weight: 1 }] }], { kind: 'document', signal })
    const { id: name, version, dimensions } = embedder
    if (dimensions === undefined) throw new EmbedderAway(`${name} does not say how many dimensions it has`)
    const { id, dimensions: adopted } = await store.adopt({ id: name, version, dimensions }, settings)
    if (adopted !== dimensions) throw new EmbedderAway(`${name} gives ${dimensions} numbers, and gave ${adopted}: its name should change too`, 'lasting')
    open.set(id, embedder)
    known = undefined
    return { id, embedder }
  }

  const rows = (): Promise<Adopted[]> => {
    if (!known || performance.now() > known.until) {
      known = { rows: runForAll(() => store.embedders()), until: performance.now() + KNOWN_FOR_MS }
    }
    return known.rows
  }

  /** Undefined when it cannot be had as it was. */
  const opened = async (row: Adopted): Promise<Embedder | undefined> => {
    if (open.has(row.id)) return open.get(row.id)
    const embedder = await embedders.reopen(row).catch(() => undefined)
    if (embedder?.id !== row.name || embedder.version !== row.version) return undefined
    open.set(row.id, embedder)
    return embedder
  }

  return {
    mine (signal) {
      mine ??= adopt(signal).catch((error: unknown) => {
        mine = undefined
        throw error
      })
      return mine
    },

    newest: async () => (await rows())[0],

    async answering () {
      const all = await rows()
      for (const row of [...all.filter(({ complete }) => complete), ...all.slice(0, 1)]) {
        const embedder = await opened(row)
        if (!embedder) continue
        const measured = { unrelated: row.unrelated ?? USUAL.unrelated, related: row.related ?? USUAL.related }
        return { embedder, id: row.id, dimensions: row.dimensions, scale: embedder.scale ?? measured }
      }
      return undefined
    },

    forget () {
      known = undefined
    }
  }
}
