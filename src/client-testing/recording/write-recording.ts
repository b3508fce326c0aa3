/**
 * Writes a recording, exchange by exchange. It is lines of JSON: a head (`format`, `version`, `created_at`, `target`),
 * the exchanges, and an end (`end`, `exchanges`, `sha256`) with a checksum of all lines before it.
 */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { fileFault, unwritable } from '../../lib/error-code.js'
import { Refusal } from '../../lib/errors.js'
import type { SafeExchange } from '../reports/report.js'

export const RECORDING_FORMAT = 'exploration-mcp-recording'
export const RECORDING_VERSION = 1

/** The bounds of a recording; a longer one is neither written nor read. */
export const MAX_RECORDING_BYTES = 128 * 1024 * 1024
export const MAX_RECORDED_EXCHANGES = 10_000

/** Creates the file, readable by its owner only. @throws {Refusal} when it exists or cannot be written */
export const createRecording = async (file: string, target: string) => {
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
    /** Adds an exchange. Beyond the bounds of a recording it is counted and left out. */
    add (exchange: SafeExchange): void {
      const line = `${JSON.stringify(exchange)}\n`
      if (written >= MAX_RECORDED_EXCHANGES || bytes + Buffer.byteLength(line) > MAX_RECORDING_BYTES - 1024) {
        leftOut++
        return
      }
      written++
      write(line)
    },
    /** Writes the end and closes the file. Resolves with the numbers of exchanges that were written and left out. */
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
