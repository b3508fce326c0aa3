/**
 * The ids of requests that replicas sent to clients and that no answer came for yet. A replica hands an answer on to the others only when
 * its id was asked: otherwise any client could fill what the replicas share with answers to nothing.
 */
import { createHash } from 'node:crypto'
import type { Valkey } from '../../../cluster/valkey.js'

export interface AskedIds {
  /** Remembers an id for so many milliseconds, for the other replicas. */
  add (key: string, keepMs: number): Promise<void>
  /** Whether another replica may wait for an answer to it; true once. */
  take (key: string): Promise<boolean>
}

/** For a server that is one process: whoever waits is here. */
export const noAskedIds: AskedIds = { add: async () => {}, take: async () => false }

export const valkeyAskedIds = (valkey: Valkey): AskedIds => {
  const keyOf = (key: string): string => `exploration-mcp:asked:${createHash('sha256').update(key).digest('base64url')}`
  return {
    async add (key, keepMs) {
      await valkey.ask((commands) => commands.set(keyOf(key), '', 'PX', keepMs))
    },
    take: async (key) => await valkey.ask((commands) => commands.unlink(keyOf(key))) === 1
  }
}
