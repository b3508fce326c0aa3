/** The open streams of this process: bounded by credential, and ended when that is revoked or loses access. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../lib/errors.js'
import type { Principal } from '../../lib/principal.js'

/** The register of open streams. */
export interface OpenStreams<P extends Principal = Principal> {
  readonly size: number
  /**
   * Registers a stream; `end` closes it. Returns the function that removes it from the register.
   * @throws {Fault} `too_many_streams`, or `unauthorized` when the credential was revoked just now
   */
  add (principal: P, end: () => void): () => void
  /** Ends the streams of a revoked credential, and refuses new ones for a minute. */
  endOf (credential: string): void
  /** Ends the streams of principals whose permissions have become less, unless they end by themselves. */
  endStale (check: StaleCheck<P>): Promise<void>
  /** Ends the streams of expired credentials, if `current` confirms it: this server's clock may be wrong. */
  endExpired (current: (principal: P) => Promise<P | undefined>): Promise<void>
}

/** How to find the streams that a change of permissions ends. */
export interface StaleCheck<P extends Principal> {
  /** Whether a change of permissions concerns this principal. */
  concerns (principal: P): boolean
  /** Whether a stream that was opened for `before` must end now. */
  isStale (before: P, now: P | undefined): boolean
  /** Resolves with the principal as it is now; undefined when its credential no longer works. */
  current (principal: P): Promise<P | undefined>
}

interface OpenStream<P> { principal: P, expires: number, end: () => void }

/**
 * How long to wait first: change streams notice the lost access by themselves, send nothing after it, and end with a
 * final message, which takes a busy server some time.
 */
const LEAVE_MS = 3000
/** How long a revoked credential is remembered: longer than a request takes from its authentication to its stream. */
const REMEMBERED_MS = 60_000

/** Creates the register: `maxPerCredential` streams of each at most, `now` in milliseconds since the epoch. */
export const openStreams = <P extends Principal = Principal>(
  maxPerCredential: number, now: () => number = Date.now
): OpenStreams<P> => {
  const byCredential = new Map<string, Set<OpenStream<P>>>()
  const recentlyRevoked = new Map<string, number>()
  let size = 0

  const endAll = (streams: Iterable<OpenStream<P>>): void => {
    for (const { end } of [...streams]) end()
  }

  return {
    get size () {
      return size
    },

    add (principal, end) {
      const { credential: { id, expires_at: expires } } = principal
      if (recentlyRevoked.has(id)) {
        throw new Fault('unauthorized', 'This server needs a valid credential.', {
          reason: 'invalid', hint: 'The credential was just revoked.'
        })
      }
      const own = byCredential.get(id) ?? new Set()
      if (own.size >= maxPerCredential) {
        throw new Fault(
          'too_many_streams',
          `This credential has ${maxPerCredential} open streams, the most that it may have. Close one first.`,
          { scope: 'streams', limit: maxPerCredential }
        )
      }
      const open = { principal, expires: typeof expires === 'string' ? Date.parse(expires) : Infinity, end }
      byCredential.set(id, own.add(open))
      size++
      return () => {
        if (!own.delete(open)) return
        size--
        if (own.size === 0) byCredential.delete(id)
      }
    },

    endOf (credential) {
      for (const [id, at] of recentlyRevoked) if (at + REMEMBERED_MS < now()) recentlyRevoked.delete(id)
      recentlyRevoked.set(credential, now())
      endAll(byCredential.get(credential) ?? [])
    },

    async endStale ({ concerns, isStale, current }) {
      await sleep(LEAVE_MS, undefined, { ref: false })
      for (const streams of byCredential.values()) {
        const [first] = streams
        if (!first || !concerns(first.principal)) continue
        // Streams of one connection may have access tokens of their own.
        await Promise.all([...streams].map(async ({ principal, end }) => {
          if (isStale(principal, await current(principal))) end()
        }))
      }
    },

    async endExpired (current) {
      for (const streams of byCredential.values()) {
        const [first] = streams
        if (first && first.expires <= now() && await current(first.principal) === undefined) endAll(streams)
      }
    }
  }
}
