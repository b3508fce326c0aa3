/** A replica's pulse in Valkey: the others see by it that whoever works on something is still there. */
import { randomUUID } from 'node:crypto'
import type { Valkey } from './valkey.js'

export interface Pulse {
  /** This replica's name. */
  id: string
  /** Whether a replica gave a sign of life lately. */
  of (id: string): Promise<boolean>
  end (): void
}

const BEAT_MS = 1000
const LASTS_MS = 4000

const keyOf = (id: string): string => `exploration-mcp:replica:${id}`

export const pulse = async (valkey: Valkey, beatMs = BEAT_MS, lastsMs = LASTS_MS): Promise<Pulse> => {
  const id = randomUUID()
  const beat = (): Promise<unknown> => valkey.ask((commands) => commands.set(keyOf(id), '', 'PX', lastsMs))
  await beat()
  const timer = setInterval(() => { beat().catch(() => {}) }, beatMs).unref()
  return {
    id,
    of: async (other) => other === id || await valkey.ask((commands) => commands.exists(keyOf(other))) > 0,
    end: () => clearInterval(timer)
  }
}
