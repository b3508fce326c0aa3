/** Makes what was imported findable: its words and its meaning side by side. */
import type { ImportProgress } from '../api/management/management-ports.js'
import type { IndexState, Indexer } from '../search/indexer.js'

// So long an import waits for what it brought to be embedded; the rest is done in the background.
const TIMEOUT_MS = 60_000
// And so long for the next batch of it.
const STALLED_MS = 5000

/** Words are waited for, meaning as long as it goes on. */
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
