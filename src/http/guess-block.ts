/**
 * Refuses guesses of an address that guessed too often before anything is looked up. Others may share the address with whoever guesses:
 * credentials that were right before still pass, and one new one a second is looked up.
 */
import { hash } from 'node:crypto'
import { lruSet } from '../lib/lru.js'

export interface GuessBlock {
  /** An address guessed too often; it is blocked for so many seconds. */
  block (address: string, seconds: number): void
  /** An Authorization header held a credential that works. */
  right (authorization: string | undefined): void
  /** Whether a request is a guess too many, unless its credential is looked up. */
  isBlocked (address: string, authorization: string | undefined): boolean
}

const MAX_ADDRESSES = 10_000
const MAX_CREDENTIALS = 10_000
const LOOK_UP_EVERY_MS = 1000

export const createGuessBlock = (now: () => number = () => performance.now()): GuessBlock => {
  const blocked = new Map<string, { until: number, nextLookUp: number }>()
  /** SHA-256 of the headers: the credentials themselves are not kept. */
  const worked = new Map<string, true>()

  return {
    block (address, seconds) {
      const { nextLookUp = 0 } = blocked.get(address) ?? {}
      lruSet(blocked, address, { until: now() + seconds * 1000, nextLookUp }, MAX_ADDRESSES)
    },

    right (authorization = '') {
      lruSet(worked, hash('sha256', authorization), true, MAX_CREDENTIALS)
    },

    isBlocked (address, authorization = '') {
      const block = blocked.get(address)
      if (!block) return false
      const at = now()
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
