/** Shows the progress of an import on a terminal. Prints nothing elsewhere. */
import type { Writable } from 'node:stream'
import type { ImportProgress } from '../../administration/ports.js'
import { stripControlChars } from '../print/print.js'

export interface Progress {
  show (progress: ImportProgress): void
  stop (): void
}

/** A progress bar for `file`. Both methods do nothing unless `stderr` is a terminal. */
export async function drawProgress (stderr: Writable & { isTTY?: boolean }, file: string): Promise<Progress> {
  if (!stderr.isTTY) return { show () {}, stop () {} }
  const { default: { SingleBar, Presets } } = await import('cli-progress')
  const bar = new SingleBar({
    stream: stderr,
    format: `${stripControlChars(file)} {phase} [{bar}] {value}/{total} {eta_formatted}`,
    hideCursor: true,
    clearOnComplete: true
  }, Presets.legacy)
  let phase: string | undefined
  return {
    show ({ phase: next, done, total = done }) {
      if (phase !== next) bar.start(total, done, { phase: next })
      phase = next
      bar.setTotal(total)
      bar.update(done, { phase })
    },
    stop () { bar.stop() }
  }
}
