/** Shows the progress of an import on a terminal. Prints nothing elsewhere. */
import type { Writable } from 'node:stream'
import type { ImportProgress } from '../../administration/ports.js'
import { Refusal, requireRefusal } from '../../lib/errors.js'
import { stripControlChars, stripControlCharsKeepLines } from '../print/print.js'

export const withProgress = async <Result>(
  stderr: Writable & { isTTY?: boolean }, name: string,
  work: (onProgress: (progress: ImportProgress) => void) => Promise<Result>
): Promise<Result> => {
  const shown = stripControlChars(name)
  const bar = stderr.isTTY ? await drawBar(stderr, shown) : undefined
  try {
    return await work((progress) => { bar?.show(progress) })
  } catch (error) {
    const { message, reason } = requireRefusal(error)
    throw new Refusal(`${shown}: ${stripControlCharsKeepLines(message)}`, reason)
  } finally {
    bar?.stop()
  }
}

const drawBar = async (stream: Writable, name: string) => {
  const { default: { SingleBar, Presets } } = await import('cli-progress')
  const format = `${name} {phase} [{bar}] {value}/{total} {eta_formatted}`
  const bar = new SingleBar({ stream, format, hideCursor: true, clearOnComplete: true }, Presets.legacy)
  let phase: string | undefined
  return {
    show ({ phase: next, done, total = done }: ImportProgress) {
      if (phase !== next) bar.start(total, done, { phase: next })
      phase = next
      bar.setTotal(total)
      bar.update(done, { phase })
    },
    stop () { bar.stop() }
  }
}
