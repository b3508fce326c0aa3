/**
 * Legacy sessions without a table of sessions: the id carries what the handshake negotiated, signed, so that each
 * replica accepts it without a look-up and a restart loses none. It is bound to the credential that opened it. Only
 * sessions that were ended early are stored, until they would have expired.
 */
import { randomBytes } from 'node:crypto'
import { lruSet } from '../../../lib/lru.js'
import type { SessionStatus } from '../../../lib/principal.js'
import type { ClientInfo } from '../../request-context.js'
import { isObject, parseObject } from '../../../lib/json/json-object.js'
import { createTextSigner } from '../../../lib/text/signed-text.js'
import { isLegacyRevision, type LegacyRevision } from '../../revisions.js'

/** What the handshake negotiated. */
export interface Session {
  revision: LegacyRevision
  client: ClientInfo
  /** The id of the credential that opened it. */
  credential: string
  /** Milliseconds since the epoch. */
  expires: number
}

/** Issues and verifies session ids. */
export interface Sessions {
  issue (session: Omit<Session, 'expires'>): string
  /**
   * Resolves with undefined when the id is unknown, altered, expired, ended, or belongs to another credential.
   * @param state what was read of the session with the credential; without it the store of ended sessions is asked
   */
  read (id: string, credential: string, state?: SessionStatus): Promise<Session | undefined>
  /** Ends a session. `expires` as in the session. */
  end (id: string, expires: number): Promise<void>
}

/** The port that stores sessions that were ended before they expired: keeps each at least until it expires. */
export interface EndedSessionStore {
  has (id: string): boolean | Promise<boolean>
  /** `expires` in milliseconds since the epoch. */
  add (id: string, expires: number): Promise<void>
}

/** Returns a short key for a session, to store its state under: the signature of its id. */
export const sessionKey = (id: string): string => id.slice(id.lastIndexOf('.') + 1)

/** How session ids are signed, and how long they are valid. */
export interface SessionOptions {
  /** The first secret signs; signatures of all of them are accepted. */
  secrets: readonly [string, ...string[]]
  ttlSeconds: number
  ended: EndedSessionStore
  now?: () => number
}

export const MAX_SESSION_ID_LENGTH = 4096
const MAX_CAPABILITIES_LENGTH = 2048
const MAX_VERIFIED = 256
/** A call that waited longer, such as for its turn, looks again. */
const MAX_STATE_AGE_MS = 1000

/** Creates the issuer and verifier of session ids. A session lasts `ttlSeconds` after it was issued. */
export const createSessions = (
  { secrets, ttlSeconds, ended, now = Date.now }: SessionOptions
): Sessions => {
  const signer = createTextSigner('legacy session', secrets)
  // A cache of verified ids. An id that is not in it is verified again.
  const verified = new Map<string, Session>()
  const verify = (id: string): Session | undefined => {
    const session = parseObject(signer.open(id) ?? '')
    return session && isSession(session) ? lruSet(verified, id, session, MAX_VERIFIED) : undefined
  }

  return {
    issue (session) {
      return signer.sign(JSON.stringify({
        ...session,
        client: { ...session.client, capabilities: boundCapabilities(session.client.capabilities) },
        expires: now() + ttlSeconds * 1000,
        nonce: randomBytes(9).toString('base64url')
      }))
    },

    async read (id, credential, state) {
      const found = id.length <= MAX_SESSION_ID_LENGTH ? verified.get(id) ?? verify(id) : undefined
      if (!found || found.credential !== credential || found.expires <= now()) return undefined
      const hasEnded = isFresh(state, id) ? state.hasEnded : ended.has(id)
      // A store in memory answers at once: each call of a session would wait a turn for it otherwise.
      return (typeof hasEnded === 'boolean' ? hasEnded : await hasEnded) ? undefined : found
    },

    end: (id, expires) => ended.add(id, expires)
  }
}

const isFresh = (state: SessionStatus | undefined, id: string): state is SessionStatus =>
  state?.id === id && performance.now() - state.readAt <= MAX_STATE_AGE_MS

/** What was signed is checked as well: an earlier release may have written another shape. */
const isSession = (value: object): value is Session =>
  'revision' in value && isLegacyRevision(value.revision) &&
  'credential' in value && typeof value.credential === 'string' &&
  'expires' in value && typeof value.expires === 'number' &&
  'client' in value && isObject(value.client) && isObject(value.client['capabilities'])

/** Keeps only the names of the capabilities and extensions when the declaration is longer than 2048 characters. */
const boundCapabilities = (capabilities: ClientInfo['capabilities']): ClientInfo['capabilities'] => {
  if (JSON.stringify(capabilities).length <= MAX_CAPABILITIES_LENGTH) return capabilities
  const { extensions } = capabilities
  return {
    ...namesOf(capabilities, 32, 32),
    ...(isObject(extensions) && { extensions: namesOf(extensions, 12, 64) })
  }
}

const namesOf = (declared: object, count: number, length: number): Record<string, object> =>
  Object.fromEntries(Object.keys(declared).slice(0, count).map((name) => [name.slice(0, length), {}]))

const MAX_SCANNED = 100

/** Creates a store in the memory of one process. It forgets a session once its id has expired. */
export const memoryEndedSessionStore = (now: () => number = Date.now): EndedSessionStore => {
  const ended = new Map<string, number>()
  return {
    has: (id) => ended.has(id),
    async add (id, expires) {
      // The oldest ones are looked at again with each new one, so that the map does not grow without end.
      for (const [other, until] of [...ended].slice(0, MAX_SCANNED)) if (until < now()) ended.delete(other)
      ended.set(id, expires)
    }
  }
}
