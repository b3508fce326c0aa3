/**
 * The format of recordings: lines of JSON. A head (`format`, `version`, `created_at`, `target`), the exchanges, and an
 * end (`end`, `exchanges`, `sha256`) with a checksum of all lines before it.
 */
import type { SafeExchange } from '../redact.js'

export const RECORDING_FORMAT = 'exploration-mcp-recording'
export const RECORDING_VERSION = 1

/** The bounds of a recording; a longer one is neither written nor read. */
export const MAX_RECORDING_BYTES = 128 * 1024 * 1024
export const MAX_RECORDED_EXCHANGES = 10_000

export interface Recording {
  /** Where it was recorded; undefined for a wire log. */
  target: string | undefined
  /** In the order in which the requests arrived. */
  exchanges: SafeExchange[]
  /** What a reader has to know, such as that nothing vouches for the file. */
  notes: string[]
}
