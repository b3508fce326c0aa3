/** Writes a recording, exchange by exchange. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { fileFault, unwritable } from '../../lib/error-code.js'
import { Refusal } from '../../lib/errors.js'
import type { SafeExchange } from '../redact.js'
import { MAX_RECORDED_EXCHANGES, MAX_RECORDING_BYTES, RECORDING_FORMAT, RECORDING_VERSION } from './format.js'

export interface RecordingWriter {
  /** Adds an exchange. Beyond the bounds of a recording it is counted and left out. */
  add(exchange: SafeExchange): void
  /** Writes the end and closes the file. Resolves with the numbers of exchanges that were written and left out. */
  close(): Promise<{ written: number; leftOut: number }>
}

/**
 * Creates the file, readable by its owner only. Never overwrites one.
 * @throws {Refusal} when the file exists or cannot be written
 */
export const createRecording = async (file: string, target: string): Promise<RecordingWriter> => {
  const handle = await open(file, 'wx', 0o600).catch((error: unknown) => {
    throw new Refusal(unwritable(file, error, 'Name another file with --output.'))
  })
  const hash = createHash('sha256')
  let bytes = 0
  let written = 0
  let leftOut = 0
  let pending: Promise<unknown> = Promise.resolve()
  const write = (line: string): void => {
    hash.update(line)
    bytes += Buffer.byteLength(line)
    pending = pending.then(() => handle.write(line))
    pending.catch(() => {})
  }
  const created = new Date().toISOString()
  write(`${JSON.stringify({ format: RECORDING_FORMAT, version: RECORDING_VERSION, created_at: created, target })}\n`)
  return {
    add (exchange) {
      const line = `${JSON.stringify(exchange)}\n`
      if (written >= MAX_RECORDED_EXCHANGES || bytes + Buffer.byteLength(line) > MAX_RECORDING_BYTES - 1024) {
        leftOut++
        return
      }
      written++
      write(line)
    },
    async close () {
      const end = { end: true, exchanges: written, sha256: hash.digest('hex') }
      try {
        await pending
        await handle.write(`${JSON.stringify(end)}\n`)
      } catch (error) {
        throw new Refusal(`${file} could not be written to its end${fileFault(error)}.`)
      } finally {
        await handle.close()
      }
      return { written, leftOut }
    }
  }
}
