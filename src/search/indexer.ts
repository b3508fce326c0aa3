/** Keeps the vectors of all explorations up to date, in batches in the background, and reports the progress. */
import { setImmediate as turn } from 'node:timers/promises'
import type { VectorStore, StaleExploration } from './ranking/vector-store.js'
import type { OnTsvectorProgress } from './ranking/update-tsvectors.js'
import type { EmbedderRegistry, EmbedderPool } from './embedder-registry.js'
import { documentTexts, packageCharacters } from './document-texts.js'
import { asQuery, EmbedderUnavailable, type Embedder, type Scale } from './embedder.js'
import { dot, isZero } from './vector.js'

export interface IndexState {
  /** The chosen embedder, such as `builtin`, and its version. */
  embedder: string
  version: string
  /** `waiting`: there is work, and the embedder is unavailable. */
  state: 'complete' | 'building' | 'waiting'
  explorations: number
  /** How many have no vectors, or outdated ones. */
  pending: number
  /** The embedder whose vectors answer queries; null while search uses words only. */
  answering: string | null
  /** Why it is waiting. */
  reason?: string
  /** Why the last query used words only, although there are vectors. */
  questions?: string
}

export type Indexer = ReturnType<typeof createIndexer>

export interface IndexerDeps {
  store: VectorStore
  writeWords (onProgress?: OnTsvectorProgress): Promise<void>
  embedders: Pick<EmbedderPool, 'configured'>
  registry: EmbedderRegistry
}

const BATCH = 64
// After this many batches it checks whether there are enough vectors for an index.
const BATCHES_PER_POLL = 4
const POLL_MS = 2000
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 60_000
// The number of titles that calibrate an embedder; a smaller sample than the least says nothing.
const SAMPLE = 64
const MIN_SAMPLE = 8

/** Creates the indexer. It does nothing before `start`, `settle` or `updateWords`. */
export const createIndexer = ({ store, writeWords, embedders, registry }: IndexerDeps) => {
  const closing = new AbortController()
  let working: Promise<boolean> | undefined
  let wording: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let onError: ((error: unknown) => void) | undefined
  let outage: { reason: string, until: number, pause: number } | undefined
  let questions: string | undefined
  // Whether anything was embedded since the calibration, and the number of batches.
  let changedSinceCalibration = true
  let batches = 0

  const startWords = (onProgress?: OnTsvectorProgress): Promise<void> => {
    wording = writeWords(onProgress).finally(() => { wording = undefined })
    wording.catch(() => {})
    return wording
  }

  /** Runs again when words are being indexed already: that run may have missed the newest ones. */
  const words = async (onProgress?: OnTsvectorProgress): Promise<void> => {
    if (!wording) return await startWords(onProgress)
    await wording.catch(() => {})
    await words(onProgress)
  }

  /** Runs one batch, and indexes words meanwhile; false when there was none, or when it could not be done. */
  const step = async (): Promise<boolean> => {
    const wordUpdate = wording ?? startWords()
    let claimed: StaleExploration[] = []
    try {
      if (!outage || performance.now() >= outage.until) {
        const { id, embedder } = await registry.own(closing.signal)
        claimed = await store.claim(id, BATCH, packageCharacters(embedder.window))
        if (claimed.length === 0) {
          await wordUpdate
          // Explorations whose words were being written could not be claimed.
          claimed = await store.claim(id, BATCH, packageCharacters(embedder.window))
        }
        if (claimed.length > 0) await embed(id, embedder, claimed)
        else await finish(id, embedder)
        outage = undefined
      } else {
        await wordUpdate
      }
      return claimed.length > 0
    } catch (error) {
      if (claimed.length > 0) await store.release(claimed).catch(() => {})
      await wordUpdate.catch(() => {})
      if (!closing.signal.aborted) wait(error)
      return false
    }
  }

  const embed = async (id: number, embedder: Embedder, claimed: readonly StaleExploration[]): Promise<void> => {
    const texts = claimed.map((exploration) => documentTexts(exploration, embedder.window))
    const vectors = (await embedder.embed(texts.flat(), { kind: 'document', signal: closing.signal })).values()
    await store.keep(id, claimed.map(({ id, change }, index) => ({
      id,
      change,
      vectors: (texts[index] ?? []).map(() => {
        const { value: vector } = vectors.next()
        return vector && !isZero(vector) ? vector : null
      })
    })))
    changedSinceCalibration = true
    if (++batches % BATCHES_PER_POLL === 0) await store.index(id)
  }

  /** The queue is empty: calibrate on all explorations, and let this embedder replace former ones. */
  const finish = async (id: number, embedder: Embedder): Promise<void> => {
    if (!changedSinceCalibration || (await store.counts()).pending > 0) return
    await store.index(id)
    registry.forget()
    const newest = await registry.newest()
    if (newest?.id !== id) return
    const scale = embedder.scale ?? await measureScale(embedder, await store.sample(id, SAMPLE))
    if (scale) await store.setScale(id, scale)
    if (!newest.complete) await store.complete(id)
    registry.forget()
    changedSinceCalibration = false
  }

  const wait = (error: unknown): void => {
    const isOutage = error instanceof EmbedderUnavailable
    if (!isOutage && !onError) throw error
    if (!isOutage) onError?.(error)
    const backoff = Math.min((outage?.pause ?? FIRST_PAUSE_MS / 2) * 2, MAX_PAUSE_MS)
    const pause = (isOutage ? error.retryAfterMs : undefined) ?? backoff
    outage = {
      reason: isOutage ? error.message : 'an unexpected error, see the log', pause, until: performance.now() + pause
    }
  }

  /** One step at a time, no matter who asks. */
  const next = (): Promise<boolean> => {
    working ??= step().finally(() => { working = undefined })
    return working
  }

  const poll = async (): Promise<void> => {
    while (!closing.signal.aborted && await next()) await turn()
    lookIn(POLL_MS)
  }

  const lookIn = (ms: number): void => {
    const look = (): void => { poll().catch((error: unknown) => onError?.(error)) }
    if (!closing.signal.aborted) timer = setTimeout(look, ms).unref()
  }

  const state = async (): Promise<IndexState> => {
    const { embedder: { id: embedder, version } } = await embedders.configured()
    const [{ explorations, pending }, newest, answers] =
      await Promise.all([store.counts(), registry.newest(), registry.activeForQueries()])
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

    /** Records whether a query could be embedded, or why not. */
    recordQuery (reason?: string): void {
      questions = reason
    },

    /** Queues everything again. The old index answers until the work is done. */
    async rebuild (): Promise<void> {
      await store.requeue()
      outage = undefined
    },

    prepare (): void {
      // An error is reported when it embeds.
      embedders.configured().then(({ embedder }) => embedder.prepare?.(), () => {})
    },

    /** Indexes the words of all explorations that were queued at the call. */
    updateWords: words,

    /** Works until the queue is empty, or work cannot go on, or the signal is aborted. Resolves to the state. */
    async settle (
      onProgress: (progress: { done: number, total: number }) => void = () => {}, signal?: AbortSignal
    ): Promise<IndexState> {
      const enough = new Promise<false>((resolve) => {
        signal?.addEventListener('abort', () => resolve(false), { once: true })
      })
      // The current step may have read the queue before this call.
      await Promise.race([working?.catch(() => {}), enough])
      const { pending: total } = await store.counts()
      while (!signal?.aborted && await Promise.race([next(), enough])) {
        const { pending } = await store.counts()
        onProgress({ done: Math.max(total - pending, 0), total: Math.max(total, pending) })
        await turn()
      }
      return await state()
    },

    /** Polls the queue from now on. Rejects with a `Refusal` when the configured embedder cannot be opened. */
    async start (listener: (error: unknown) => void): Promise<void> {
      await embedders.configured()
      onError = listener
      lookIn(0)
    },

    async close (): Promise<void> {
      closing.abort()
      clearTimeout(timer)
      await Promise.allSettled([working, wording])
    }
  }
}

/** What the cosines mean: titles as queries, against their own texts and against others. */
const measureScale = async (
  embedder: Embedder, sample: ReadonlyArray<{ title: string, vector: Float32Array }>
): Promise<Scale | undefined> => {
  if (sample.length < MIN_SAMPLE) return undefined
  const queryVectors = await embedder.embed(sample.map(({ title }) => asQuery(title)), { kind: 'query' })
  const own: number[] = []
  const others: number[] = []
  queryVectors.forEach((queryVector, queryIndex) => sample.forEach(({ vector }, sampleIndex) => {
    (queryIndex === sampleIndex ? own : others).push(dot(queryVector, vector))
  }))
  const unrelated = quantile(others, 0.95)
  return { unrelated, related: Math.max(quantile(own, 0.5), unrelated + 0.05) }
}

const quantile = (values: number[], share: number): number =>
  values.sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0
