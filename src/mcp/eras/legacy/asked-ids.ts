/**
 * The ids of requests that replicas sent to clients and that have no response yet. A replica forwards a response to
 * the other replicas only when its id is stored here: otherwise a client could flood the event bus with responses
 * to nothing.
 */
import { createHash } from 'node:crypto'
import type { Valkey } from '../../../cluster/valkey.js'

export interface AskedIds {
  /** Stores an id for `keepMs` milliseconds, visible to all replicas. */
  add (key: string, keepMs: number): Promise<void>
  /** Removes an id. Resolves with true when it was stored, so only the first response to a request is forwarded. */
  take (key: string): Promise<boolean>
}

/** For a server that is one process: it never forwards responses. */
export const noAskedIds: AskedIds = { add: async () => {}, take: async () => false }

/** Stores SHA-256 digests of the ids in Valkey. */
export const valkeyAskedIds = (valkey: Valkey): AskedIds => {
  const keyOf = (key: string): string => `exploration-mcp:asked:${createHash('sha256').update(key).digest('base64url')}`
  return {
    async add (key, keepMs) {
      await valkey.ask((commands) => commands.set(keyOf(key), '', 'PX', keepMs))
    },
    take: async (key) => await valkey.ask((commands) => commands.unlink(keyOf(key))) === 1
  }
}
