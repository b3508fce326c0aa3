/** A heartbeat key per replica in Valkey, with a TTL of 4 s. */
import { randomUUID } from 'node:crypto'
import type { Valkey } from './valkey.js'

export type Heartbeat = Awaited<ReturnType<typeof startHeartbeat>>

const BEAT_MS = 1000
const TTL_MS = 4000

const keyOf = (id: string): string => `exploration-mcp:replica:${id}`

/** @throws `Fault` `unavailable` when Valkey refuses the first write; later failures are retried by the next beat */
export const startHeartbeat = async (valkey: Valkey, beatMs = BEAT_MS, ttlMs = TTL_MS) => {
  const id = randomUUID()
  const beat = (): Promise<unknown> => valkey.ask((commands) => commands.set(keyOf(id), '', 'PX', ttlMs))
  await beat()
  const timer = setInterval(() => { beat().catch(() => {}) }, beatMs).unref()
  return {
    id,
    /** Whether the replica renewed its heartbeat within the TTL. */
    isAlive: async (other: string): Promise<boolean> =>
      other === id || await valkey.ask((commands) => commands.exists(keyOf(other))) > 0,
    stop: () => clearInterval(timer)
  }
}
