/** Keeps the vectors of all explorations up to date, batch by batch in the background, and says how far it is. */
import { setImmediate as turn } from 'node:timers/promises'
import type { VectorStore, StaleExploration } from '../db/vector-store.js'
import type { OnTsvectorProgress } from '../db/update-tsvectors.js'
import type { EmbedderRegistry, EmbedderPool } from './embedder-registry.js'
import { documentTexts, packageCharacters } from './document-texts.js'
import { EmbedderUnavailable, type Embedder } from './embedder.js'
import { calibrateScores } from './calibrate-scores.js'

export interface IndexState {
  /** The chosen embedder, such as `builtin`, and its version. */
  embedder: string
  version: string
  /** `waiting`: there is work, and the embedder is away. */
  state: 'complete' | 'building' | 'waiting'
  explorations: number
  /** How many of them have vectors behind their texts, or none yet. */
  pending: number
  /** Whose vectors answer; null while search goes by words alone. */
  answering: string | null
  /** Why it waits. */
  reason?: string
  /** Why the last question was answered by words alone, though there are vectors. */
  questions?: string
}

export interface Indexer {
  state (): Promise<IndexState>
  /** To be told of each question whether it could be embedded, or why not. */
  recordQuery (trouble?: string): void
  /** All of it is made anew, in the background; what is there answers until then. */
  rebuild (): Promise<void>
  /** Says that much will have to be embedded soon. */
  prepare (): void
  /** Writes the words that search reads, of all that waited when it was called. */
  updateWords (onProgress?: OnTsvectorProgress): Promise<void>
  /**
   * Works until nothing waits that others are not at work on, or it cannot go on, or the signal is aborted; then
   * says how it stands.
   */
  settle (onProgress?: (progress: { done: number, total: number }) => void, signal?: AbortSignal): Promise<IndexState>
  /**
   * From now on it looks by itself, now and then, whether there is work; `failed` is told of what is no fault of an
   * embedder. Rejects with a `Refusal` when the chosen embedder cannot be opened.
   */
  start (failed: (error: unknown) => void): Promise<void>
  close (): Promise<void>
}

export interface IndexerDeps {
  store: VectorStore
  writeWords (onProgress?: OnTsvectorProgress): Promise<void>
  embedders: Pick<EmbedderPool, 'chosen'>
  adopted: EmbedderRegistry
}

const BATCH = 64
// After so many batches it is looked whether there are vectors enough for an index of them.
const BATCHES_PER_POLL = 4
const POLL_MS = 2000
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 60_000
// Of so many titles it is learnt what an embedder's cosines mean.
const SAMPLE = 64

export const createIndexer = ({ store, writeWords, embedders, adopted: registry }: IndexerDeps): Indexer => {
  const closing = new AbortController()
  let working: Promise<boolean> | undefined
  let wording: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let failed: ((error: unknown) => void) | undefined
  let outage: { reason: string, until: number, pause: number } | undefined
  let questions: string | undefined
  // Whether anything was embedded since the scale was measured, and how many batches.
  let grown = true
  let batches = 0

  const startWords = (onProgress?: OnTsvectorProgress): Promise<void> => {
    wording = writeWords(onProgress).finally(() => { wording = undefined })
    wording.catch(() => {})
    return wording
  }

  /** What is being written may have been looked for before there was what there is now. */
  const words = async (onProgress?: OnTsvectorProgress): Promise<void> => {
    if (!wording) return await startWords(onProgress)
    await wording.catch(() => {})
    await words(onProgress)
  }

  /**
   * One batch; false when there was none, or none that could be done. Words are written meanwhile, and done when
   * there is no more.
   */
  const step = async (): Promise<boolean> => {
    const written = wording ?? startWords()
    let claimed: StaleExploration[] = []
    try {
      if (!outage || performance.now() >= outage.until) {
        const { id, embedder } = await registry.own(closing.signal)
        claimed = await store.claim(id, BATCH, packageCharacters(embedder.window))
        if (claimed.length === 0) {
          await written
          // Those whose words were just being written could not be claimed.
          claimed = await store.claim(id, BATCH, packageCharacters(embedder.window))
        }
        if (claimed.length > 0) await embed(id, embedder, claimed)
        else await finish(id, embedder)
        outage = undefined
      } else {
        await written
      }
      return claimed.length > 0
    } catch (error) {
      if (claimed.length > 0) await store.release(claimed).catch(() => {})
      await written.catch(() => {})
      if (!closing.signal.aborted) wait(error)
      return false
    }
  }

  const embed = async (id: number, embedder: Embedder, claimed: readonly StaleExploration[]): Promise<void> => {
    const texts = claimed.map((exploration) => documentTexts(exploration, embedder.window))
    const vectors = (await embedder.embed(texts.flat(), { kind: 'document', signal: closing.signal })).values()
    await store.keep(id, claimed.map(({ id, change }, place) => ({
      id,
      change,
      vectors: texts[place]!.map(() => vectors.next().value!).map((vector) => vector.some((value) => value !== 0) ? vector : null)
    })))
    grown = true
    if (++batches % BATCHES_PER_POLL === 0) await store.index(id)
  }

  /** Nothing waits: what was measured on less is measured again, and the embedder takes over from those before it. */
  const finish = async (id: number, embedder: Embedder): Promise<void> => {
    if (!grown || (await store.counts()).pending > 0) return
    await store.index(id)
    registry.forget()
    const newest = await registry.newest()
    if (newest?.id !== id) return
    const scale = embedder.scale ?? await calibrateScores(embedder, await store.sample(id, SAMPLE))
    if (scale) await store.measured(id, scale)
    if (!newest.complete) await store.complete(id)
    registry.forget()
    grown = false
  }

  const wait = (error: unknown): void => {
    const known = error instanceof EmbedderUnavailable
    if (!known && !failed) throw error
    if (!known) failed?.(error)
    const pause = (known ? error.retryAfterMs : undefined) ?? Math.min((outage?.pause ?? FIRST_PAUSE_MS / 2) * 2, MAX_PAUSE_MS)
    outage = {
      reason: known ? error.message : 'an unexpected error, see the log', pause, until: performance.now() + pause
    }
  }

  /** One step at a time, whoever asks. */
  const next = (): Promise<boolean> => {
    working ??= step().finally(() => { working = undefined })
    return working
  }

  const poll = async (): Promise<void> => {
    while (!closing.signal.aborted && await next()) await turn()
    lookIn(POLL_MS)
  }

  const lookIn = (ms: number): void => {
    if (!closing.signal.aborted) timer = setTimeout(() => { poll().catch((error: unknown) => failed?.(error)) }, ms).unref()
  }

  const state = async (): Promise<IndexState> => {
    const { embedder: { id: embedder, version } } = await embedders.chosen()
    const [{ explorations, pending }, newest, answers] = await Promise.all([store.counts(), registry.newest(), registry.activeForQueries()])
    const complete = pending === 0 && newest?.name === embedder && newest.version === version && newest.complete
    return {
      embedder,
      version,
      state: complete ? 'complete' : outage ? 'waiting' : 'building',
      explorations,
      pending,
      answering: answers?.embedder.id ?? null,
      ...(!complete && outage && { reason: outage.reason }),
      ...(questions !== undefined && { questions })
    }
  }

  return {
    state,

    recordQuery (trouble) {
      questions = trouble
    },

    async rebuild () {
      await store.requeue()
      outage = undefined
    },

    prepare () {
      // Whoever embeds then is told why it cannot be opened.
      embedders.chosen().then(({ embedder }) => embedder.prepare?.(), () => {})
    },

    updateWords: words,

    async settle (onProgress = () => {}, signal) {
      const enough = new Promise<false>((resolve) => { signal?.addEventListener('abort', () => resolve(false), { once: true }) })
      // What is being done may have looked before there was what there is now.
      await Promise.race([working?.catch(() => {}), enough])
      const { pending: total } = await store.counts()
      while (!signal?.aborted && await Promise.race([next(), enough])) {
        const { pending } = await store.counts()
        onProgress({ done: Math.max(total - pending, 0), total: Math.max(total, pending) })
        await turn()
      }
      return await state()
    },

    async start (listener) {
      await embedders.chosen()
      failed = listener
      lookIn(0)
    },

    async close () {
      closing.abort()
      clearTimeout(timer)
      await Promise.allSettled([working, wording])
    }
  }
}
