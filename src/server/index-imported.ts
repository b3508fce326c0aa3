/** Indexes what was imported: its words and its embeddings, side by side. */
import type { ImportProgress } from '../administration/ports.js'
import type { IndexState, Indexer } from '../search/indexer.js'

// How long an import waits for its embeddings. The rest is done in the background.
const TIMEOUT_MS = 60_000
// How long it waits for the next batch.
const STALLED_MS = 5000

/** Waits until all words are indexed, and for the embeddings until one of these times is over. */
export const indexImported = async (
  index: Indexer, onProgress: (progress: ImportProgress) => void, timeoutMs = TIMEOUT_MS
): Promise<IndexState> => {
  const stalled = new AbortController()
  const timer = setTimeout(() => stalled.abort(), STALLED_MS)
  let phase: ImportProgress['phase'] = 'indexing'
  const report = (phaseName: ImportProgress['phase']) => (progress: { done: number, total: number }): void => {
    timer.refresh()
    if (phaseName === phase) onProgress({ phase, ...progress })
  }
  const words = index.updateWords(report('indexing')).then(() => { phase = 'embedding' })
  const enough = AbortSignal.any([stalled.signal, AbortSignal.timeout(timeoutMs)])
  try {
    const [state] = await Promise.all([index.settle(report('embedding'), enough), words])
    return state
  } finally {
    clearTimeout(timer)
  }
}
