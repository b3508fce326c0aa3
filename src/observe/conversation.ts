/** A legacy client's conversation, from its handshake on. */
import type { LegacyRevision } from '../revisions.js'
import type { Response } from '../rpc/message.js'
import type { Entry } from './clients.js'
import type { Json } from './seen.js'

/** What is known of a conversation since its handshake; in part only, when that was before the observer's time. */
export interface Conversation {
  client: Entry
  revision: LegacyRevision | undefined
  capabilities: Json | undefined
  initializeId: unknown
  /** When each came or became true, in milliseconds since the epoch. */
  initializedAt: number | undefined
  goneAt: number | undefined
  lastEnd: number
  lastRequest: { id: string, listened: boolean }
  ids: Map<string, true>
  tokens: Map<string, { from: number, to: number }>
  answers: Map<string, Response>
}

export const newConversation = (client: Entry, rest: Partial<Conversation> = {}): Conversation => ({
  client,
  revision: undefined,
  capabilities: undefined,
  initializeId: undefined,
  initializedAt: undefined,
  goneAt: undefined,
  lastEnd: 0,
  lastRequest: { id: '', listened: false },
  ids: new Map(),
  tokens: new Map(),
  answers: new Map(),
  ...rest
})
