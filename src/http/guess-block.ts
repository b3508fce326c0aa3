/**
 * Rejects credential guesses of a blocked address before they reach the database. Other clients may share the address,
 * so credentials that worked before still pass, and one new credential a second is verified.
 */
import { hash } from 'node:crypto'
import { lruSet } from '../lib/lru.js'

export interface GuessBlock {
  /** Whether no address is blocked. */
  readonly isEmpty: boolean
  /** Blocks an address for so many seconds. */
  block (address: string, seconds: number): void
  /** Remembers that this Authorization header holds a valid credential. `id` is the credential's. */
  right (id: string, authorization: string | undefined): void
  /** Whether to reject the request. False also for the one request a second that may be verified. */
  isBlocked (address: string, authorization: string | undefined): boolean
}

const MAX_ADDRESSES = 10_000
const MAX_CREDENTIALS = 10_000
const LOOK_UP_EVERY_MS = 1000

/** Creates the block. It remembers at most 10,000 addresses and 10,000 credentials. */
export const createGuessBlock = (): GuessBlock => {
  const blocked = new Map<string, { until: number, nextLookUp: number }>()
  /** SHA-256 of the headers, so that no credential stays in memory. */
  const worked = new Map<string, true>()
  /** The ids of their credentials, so that a header is not hashed with every request. */
  const hashed = new Set<string>()

  return {
    get isEmpty () {
      return blocked.size === 0
    },

    block (address, seconds) {
      const { nextLookUp = 0 } = blocked.get(address) ?? {}
      lruSet(blocked, address, { until: performance.now() + seconds * 1000, nextLookUp }, MAX_ADDRESSES)
    },

    right (id, authorization = '') {
      // While an address is blocked all are hashed: a connection's credential changes, and its id stays.
      if (blocked.size === 0 && hashed.has(id)) return
      if (hashed.size >= MAX_CREDENTIALS) hashed.clear()
      hashed.add(id)
      lruSet(worked, hash('sha256', authorization), true, MAX_CREDENTIALS)
    },

    isBlocked (address, authorization = '') {
      const block = blocked.get(address)
      if (!block) return false
      const at = performance.now()
      if (block.until <= at) {
        blocked.delete(address)
        return false
      }
      if (worked.has(hash('sha256', authorization))) return false
      // Without a credential nothing would be looked up.
      if (authorization === '' || block.nextLookUp > at) return true
      block.nextLookUp = at + LOOK_UP_EVERY_MS
      return false
    }
  }
}
