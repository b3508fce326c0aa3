/** The ids of requests to clients that have no response yet, in Valkey. */
import { createHash } from 'node:crypto'
import type { AskedIds } from '../engine/eras/legacy/server-requests.js'
import type { Valkey } from './valkey.js'

/** Stores SHA-256 digests of the ids, each under a key of its own that expires. */
export const valkeyAskedIds = (valkey: Pick<Valkey, 'ask'>): AskedIds => {
  const keyOf = (key: string): string => `exploration-mcp:asked:${createHash('sha256').update(key).digest('base64url')}`
  return {
    async add (key, keepMs) {
      await valkey.ask((commands) => commands.set(keyOf(key), '', 'PX', keepMs))
    },
    take: async (key) => await valkey.ask((commands) => commands.unlink(keyOf(key))) === 1
  }
}
