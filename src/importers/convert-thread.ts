/** Converts units in a thread: parsing megabytes of markdown would hold all requests of a server. */
import { workerThread } from '../lib/async/worker-thread.js'
import { failed, type ConvertOptions, type Converter, type SourceConverter } from './convert-source.js'
import type { ImportReport } from './report.js'
import type { ImportSource } from './source/open-source.js'
import type { ImportUnit } from './types.js'

/** What the thread is started with. */
export interface ConvertData { source: ImportSource, options: ConvertOptions }
/** To the thread. */
export interface ConvertRequest { unit: ImportUnit, files: ReadonlyMap<string, Uint8Array> }
/** From the thread. */
export interface Converted extends Pick<ImportReport, 'remarks' | 'outcomes' | 'omitted'> {
  converted: Awaited<ReturnType<SourceConverter['convert']>>
}

// It keeps the git history while files change one after another.
const IDLE_MS = 30_000
const CALL_TIMEOUT_MS = 300_000

/** The thread starts at the first unit. A unit that it cannot convert is reported. */
export const threadConverter = (source: ImportSource, options: ConvertOptions): Converter => {
  const start = () => workerThread<ConvertRequest, Converted>(new URL('convert-worker.js', import.meta.url), {
    workerData: { source, options } satisfies ConvertData, idleMs: IDLE_MS, callTimeoutMs: CALL_TIMEOUT_MS
  })
  let thread = start()
  return {
    forgetHistory () {
      thread.close().catch(() => {})
      thread = start()
    },
    async convert (unit, report, files = new Map()) {
      try {
        const { converted, remarks, outcomes, omitted } = await thread.call({ unit, files })
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
