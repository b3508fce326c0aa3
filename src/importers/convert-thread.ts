/** Converts units in a thread: parsing megabytes of markdown would hold all requests of a server. */
import { workerThread } from '../lib/async/worker-thread.js'
import { failed, type ConvertOptions, type Converter, type SourceConverter } from './convert-source.js'
import type { ImportReport } from './report.js'
import type { ImportSource } from './source/open-source.js'
import type { ImportUnit } from './types.js'

/** To the thread. `id`: of the source; with another number, its git `history` is read again. */
export interface ConvertRequest {
  id: number
  history: number
  source: ImportSource
  options: ConvertOptions
  unit: ImportUnit
  files: ReadonlyMap<string, Uint8Array>
}
export interface Converted extends Pick<ImportReport, 'remarks' | 'outcomes' | 'omitted'> {
  converted: Awaited<ReturnType<SourceConverter['convert']>>
}

// It keeps the git history while files change one after another.
const IDLE_MS = 30_000
const CALL_TIMEOUT_MS = 300_000

/** One for all sources: to start it takes longer than to convert most of them. It starts at the first unit. */
const thread = workerThread<ConvertRequest, Converted>(
  new URL('convert-worker.js', import.meta.url), { idleMs: IDLE_MS, callTimeoutMs: CALL_TIMEOUT_MS })
let sources = 0

export const threadConverter = (source: ImportSource, options: ConvertOptions): Converter => {
  const id = ++sources
  let history = 0
  return {
    forgetHistory () { history++ },
    async convert (unit, report, files = new Map()) {
      try {
        const request = { id, history, source, options, unit, files }
        const { converted, remarks, outcomes, omitted } = await thread.call(request)
        for (const remark of remarks) report.add(remark)
        report.outcomes.push(...outcomes)
        report.omitted += omitted
        return converted
      } catch (error) {
        return failed(unit, report, error)
      }
    }
  }
}
