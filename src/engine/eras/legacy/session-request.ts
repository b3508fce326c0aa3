/** A request of a legacy session that was admitted. Most requests need little of it, so the rest is made when read. */
import { Refusal } from '../../../lib/errors.js'
import type { EventBus } from '../../event-bus.js'
import type { Id } from '../../jsonrpc/message.js'
import type { LogLevel } from '../../log-level.js'
import type { MethodDefinition } from '../../methods/index.js'
import type { ClientInfo, SessionHandle } from '../../request-context.js'
import type { LegacyRevision } from '../../revisions.js'
import type { AdmittedRequest } from '../era.js'
import { MAX_SUBSCRIPTIONS, type SessionPreferencesStore } from './session-preferences.js'

// 2025-11-25 server/utilities/logging#setting-log-level: the server decides when the client sets no level
export const DEFAULT_LOG_LEVEL = 'info'

export interface SessionRequestDeps {
  preferences: SessionPreferencesStore
  bus: EventBus
}

/** What is known of the request and its session. */
export interface SessionRequestFacts {
  id: Id
  method: MethodDefinition
  revision: LegacyRevision
  client: ClientInfo
  progressToken: string | number | undefined
  sessionKey: string
  /** When the session ends, in milliseconds since the epoch. */
  expires: number
  /** The id of the caller's credential. */
  credential: string
}

export class SessionRequest implements AdmittedRequest {
  readonly method: MethodDefinition
  readonly revision: LegacyRevision
  readonly client: ClientInfo
  readonly progressToken: string | number | undefined
  readonly sessionKey: string
  readonly credential: string
  readonly #id: Id
  readonly #expires: number
  readonly #deps: SessionRequestDeps

  constructor (deps: SessionRequestDeps, facts: SessionRequestFacts) {
    this.method = facts.method
    this.revision = facts.revision
    this.client = facts.client
    this.progressToken = facts.progressToken
    this.sessionKey = facts.sessionKey
    this.credential = facts.credential
    this.#id = facts.id
    this.#expires = facts.expires
    this.#deps = deps
  }

  get session (): SessionHandle {
    const { preferences } = this.#deps
    const key = this.sessionKey
    const expires = this.#expires
    return {
      setLogLevel: (level) => preferences.setLogLevel(key, level, expires),
      async subscribe (uri) {
        if (await preferences.subscribe(key, uri, expires)) return
        throw new Refusal(
          `A session has at most ${MAX_SUBSCRIPTIONS} subscriptions. Unsubscribe from a resource first.`)
      },
      unsubscribe: (uri) => preferences.unsubscribe(key, uri)
    }
  }

  get logLevel (): () => Promise<LogLevel> {
    return async () => (await this.#deps.preferences.get(this.sessionKey)).logLevel ?? DEFAULT_LOG_LEVEL
  }

  onCancelled (listener: () => void): () => void {
    return this.#deps.bus.subscribe('cancelled', ({ session, id }) => {
      if (session === this.sessionKey && id === this.#id) listener()
    })
  }
}
