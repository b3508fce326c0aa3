/**
 * The open streams of this process, by credential: bounded in number, and ended when the credential is revoked,
 * expires or loses access.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../lib/errors.js'
import type { Principal } from '../../lib/principal.js'

export interface OpenStreams {
  readonly size: number
  /**
   * Registers a stream; `end` closes it. Returns the function that removes it from the register.
   * @throws {Fault} `too_many_streams`, or `unauthorized` when the credential was revoked just now
   */
  add (principal: Principal, end: () => void): () => void
  /** Ends the streams of a revoked credential, and refuses new ones for a minute. */
  endOf (credential: string): void
  /**
   * Ends the streams of a user's credentials that lost access to a workspace since they were opened, unless they
   * end by themselves.
   */
  endNarrowed (user: string, current: (credential: string) => Promise<Principal | undefined>): Promise<void>
  /**
   * Ends the streams of expired credentials. `current` confirms the expiry, because this server's clock may be
   * wrong.
   */
  endExpired (current: (credential: string) => Promise<Principal | undefined>): Promise<void>
}

interface OpenStream { principal: Principal, expires: number, end: () => void }

/** How long to wait first: change streams notice the lost access by themselves, and end with a final message. */
const LEAVE_MS = 600
/** How long a revoked credential is remembered: longer than a request takes from its authentication to its stream. */
const REMEMBERED_MS = 60_000

/**
 * Creates the register. `mostPerCredential` bounds the open streams of each credential. `now` is in milliseconds
 * since the epoch.
 */
export const openStreams = (mostPerCredential: number, now: () => number = Date.now): OpenStreams => {
  const byCredential = new Map<string, Set<OpenStream>>()
  const gone = new Map<string, number>()
  let size = 0

  const endAll = (streams: Iterable<OpenStream>): void => {
    for (const { end } of [...streams]) end()
  }

  return {
    get size () {
      return size
    },

    add (principal, end) {
      const { credential: { id, expires_at: expires } } = principal
      if (gone.has(id)) {
        throw new Fault('unauthorized', 'This server needs a valid credential.', {
          reason: 'invalid', hint: 'The credential was just revoked.'
        })
      }
      const own = byCredential.get(id) ?? new Set()
      if (own.size >= mostPerCredential) {
        throw new Fault(
          'too_many_streams',
          `This credential has ${mostPerCredential} open streams, the most that it may have. Close one first.`,
          { scope: 'streams', limit: mostPerCredential }
        )
      }
      const open = { principal, expires: expires === null ? Infinity : Date.parse(expires), end }
      byCredential.set(id, own.add(open))
      size++
      return () => {
        if (!own.delete(open)) return
        size--
        if (own.size === 0) byCredential.delete(id)
      }
    },

    endOf (credential) {
      for (const [id, at] of gone) if (at + REMEMBERED_MS < now()) gone.delete(id)
      gone.set(credential, now())
      endAll(byCredential.get(credential) ?? [])
    },

    async endNarrowed (user, current) {
      await sleep(LEAVE_MS, undefined, { ref: false })
      for (const streams of byCredential.values()) {
        const [first] = streams
        if (first?.principal.user.id !== user) continue
        const allowed = await current(first.principal.credential.id)
        endAll([...streams].filter(({ principal: { workspaces } }) =>
          workspaces.some((id) => !allowed?.workspaces.includes(id))
        ))
      }
    },

    async endExpired (current) {
      for (const [credential, streams] of byCredential) {
        const [first] = streams
        if (first && first.expires <= now() && await current(credential) === undefined) endAll(streams)
      }
    }
  }
}
