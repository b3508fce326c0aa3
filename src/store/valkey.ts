/** The connections to Valkey, which the replicas share: one for commands, which fail soon while it is away, and one that hears. */
import { Redis } from 'iovalkey'

export interface Valkey {
  commands: Redis
  /** Hears a channel, also after the connection was lost and made again. Gives what ends it. */
  hear (channel: string, listener: (message: string) => void): () => void
  /** Whether it answers at this moment. */
  isThere (): Promise<boolean>
  close (): Promise<void>
}

const CONNECT_TIMEOUT_MS = 2000
const COMMAND_TIMEOUT_MS = 500

/** Rejects when Valkey does not answer; later losses are mended by themselves. */
export const openValkey = async (url: string): Promise<Valkey> => {
  const retryStrategy = (attempt: number): number => Math.min(attempt * 100, 1000)
  const common = { lazyConnect: true, connectTimeout: CONNECT_TIMEOUT_MS, retryStrategy }
  const commands = new Redis(url, { ...common, enableOfflineQueue: false, commandTimeout: COMMAND_TIMEOUT_MS, maxRetriesPerRequest: 0 })
  const hearing = new Redis(url, { ...common, autoResubscribe: true, maxRetriesPerRequest: null })
  // Each command's own failure is what its caller hears; a lost connection is made again.
  commands.on('error', () => {})
  hearing.on('error', () => {})
  const listeners = new Map<string, Set<(message: string) => void>>()
  hearing.on('message', (channel: string, message: string) => {
    for (const listener of listeners.get(channel) ?? []) listener(message)
  })
  try {
    await Promise.all([commands.connect(), hearing.connect()])
  } catch (error) {
    commands.disconnect()
    hearing.disconnect()
    throw error
  }

  return {
    commands,

    hear (channel, listener) {
      const heard = listeners.get(channel) ?? new Set()
      if (heard.size === 0) {
        listeners.set(channel, heard)
        hearing.subscribe(channel).catch(() => {})
      }
      heard.add(listener)
      return () => { heard.delete(listener) }
    },

    isThere: async () => await commands.ping().then(() => true, () => false),

    async close () {
      commands.disconnect()
      hearing.disconnect()
    }
  }
}
