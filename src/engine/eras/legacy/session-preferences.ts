/** What the client of a legacy session sets, its log level and subscriptions: the port, and a store in memory. */
import { Refusal } from '../../../lib/errors.js'
import { lruSet } from '../../../lib/lru.js'
import type { LogLevel } from '../../log-level.js'
import type { SessionHandle } from '../../request-context.js'

/** What the client of a session has set. */
export interface SessionPreferences {
  logLevel: LogLevel | undefined
  /** The URIs of the subscribed resources. */
  subscriptions: readonly string[]
}

/** The port that stores preferences, by the key of their session. */
export interface SessionPreferencesStore {
  get (session: string): Promise<SessionPreferences>
  /** `expires` in milliseconds since the epoch, as that of the session. */
  setLogLevel (session: string, level: LogLevel, expires: number): Promise<void>
  /** Resolves with false when the session has `MAX_SUBSCRIPTIONS` subscriptions already. */
  subscribe (session: string, uri: string, expires: number): Promise<boolean>
  unsubscribe (session: string, uri: string): Promise<void>
  forget (session: string): Promise<void>
}

export const MAX_SUBSCRIPTIONS = 100

/** What the methods of a session change in the store. */
export class StoredSession implements SessionHandle {
  constructor (
    private readonly store: SessionPreferencesStore, private readonly key: string, private readonly expires: number
  ) {}

  setLogLevel (level: LogLevel): Promise<void> {
    return this.store.setLogLevel(this.key, level, this.expires)
  }

  async subscribe (uri: string): Promise<void> {
    if (await this.store.subscribe(this.key, uri, this.expires)) return
    throw new Refusal(`A session has at most ${MAX_SUBSCRIPTIONS} subscriptions. Unsubscribe from a resource first.`)
  }

  unsubscribe (uri: string): Promise<void> {
    return this.store.unsubscribe(this.key, uri)
  }
}

const MAX_IN_MEMORY = 10_000

/** Creates a store in the memory of one process. It keeps the 10,000 sessions that were changed last. */
export const memorySessionPreferences = (): SessionPreferencesStore => {
  const bySession = new Map<string, SessionPreferences>()
  const keep = (session: string, note: SessionPreferences): void => { lruSet(bySession, session, note, MAX_IN_MEMORY) }
  const read = (session: string): SessionPreferences =>
    bySession.get(session) ?? { logLevel: undefined, subscriptions: [] }
  return {
    get: async (session) => read(session),
    async setLogLevel (session, logLevel) {
      keep(session, { ...read(session), logLevel })
    },
    async subscribe (session, uri) {
      const others = read(session).subscriptions.filter((other) => other !== uri)
      if (others.length >= MAX_SUBSCRIPTIONS) return false
      keep(session, { ...read(session), subscriptions: [...others, uri] })
      return true
    },
    async unsubscribe (session, uri) {
      const { subscriptions, ...rest } = read(session)
      if (!bySession.has(session)) return
      keep(session, { ...rest, subscriptions: subscriptions.filter((other) => other !== uri) })
    },
    async forget (session) { bySession.delete(session) }
  }
}
