/**
 * The format of recordings: lines of JSON. A head, the exchanges, and an end with a checksum of all lines before it.
 */
import type { SafeExchange } from '../redact.js'

export const RECORDING_FORMAT = 'exploration-mcp-recording'
export const RECORDING_VERSION = 1

/** The bounds of a recording; a longer one is neither written nor read. */
export const MAX_RECORDING_BYTES = 128 * 1024 * 1024
export const MAX_RECORDED_EXCHANGES = 10_000

export interface RecordingHead {
  format: typeof RECORDING_FORMAT
  version: number
  created_at: string
  target: string
}
export interface RecordingEnd {
  end: true
  exchanges: number
  sha256: string
}

export interface Recording {
  /** Where it was recorded; undefined for a wire log. */
  target: string | undefined
  /** In the order in which the requests arrived. */
  exchanges: SafeExchange[]
  /** What a reader has to know, such as that nothing vouches for the file. */
  notes: string[]
}
