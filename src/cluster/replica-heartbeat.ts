/** A heartbeat key per replica in Valkey, with a TTL of 4 s. */
import { randomUUID } from 'node:crypto'
import type { Valkey } from './valkey.js'

export interface Heartbeat {
  /** This replica's name. */
  id: string
  /** Whether the replica renewed its heartbeat within the TTL. */
  isAlive (id: string): Promise<boolean>
  stop (): void
}

const BEAT_MS = 1000
const TTL_MS = 4000

const keyOf = (id: string): string => `exploration-mcp:replica:${id}`

/**
 * Writes this replica's key every `beatMs` with a TTL of `ttlMs` milliseconds.
 * @throws `Fault` `unavailable` when Valkey refuses the first write; later failures are retried by the next beat
 */
export const startHeartbeat = async (valkey: Valkey, beatMs = BEAT_MS, ttlMs = TTL_MS): Promise<Heartbeat> => {
  const id = randomUUID()
  const beat = (): Promise<unknown> => valkey.ask((commands) => commands.set(keyOf(id), '', 'PX', ttlMs))
  await beat()
  const timer = setInterval(() => { beat().catch(() => {}) }, beatMs).unref()
  return {
    id,
    isAlive: async (other) => other === id || await valkey.ask((commands) => commands.exists(keyOf(other))) > 0,
    stop: () => clearInterval(timer)
  }
}
