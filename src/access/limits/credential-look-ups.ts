/**
 * Looks up credentials of addresses that sent too many wrong ones a few at a time, the addresses in turn, so that
 * guesses do not occupy the database. None is refused for the guesses of others: many people may share an address, and
 * every new access token of theirs is one that this process has not seen.
 */
import { hash } from 'node:crypto'
import { Fault } from '../../lib/errors.js'
import { createFairQueue } from '../../lib/async/fair-queue.js'
import { lruSet } from '../../lib/lru.js'

const MAX_ADDRESSES = 10_000
const MAX_CREDENTIALS = 10_000
/** Look-ups of slowed addresses at a time: of all, of one, and of one those that wait. */
const MAX_RUNNING = 8
const MAX_RUNNING_PER_ADDRESS = 2
const MAX_WAITING_PER_ADDRESS = 200
const MAX_WAIT_MS = 10_000

const busy = (): Fault => new Fault(
  'rate_limited', 'Too many credentials of this address wait to be checked. Try again in 1 second.',
  { scope: 'address', retry_after_seconds: 1 })

export const createCredentialLookUps = () => {
  /** Until when, by `performance.now()`. */
  const slowed = new Map<string, number>()
  /** SHA-256 of the headers, so that no credential stays in memory. */
  const worked = new Map<string, true>()
  const queue = createFairQueue({
    maxRunning: MAX_RUNNING,
    maxRunningPerCaller: MAX_RUNNING_PER_ADDRESS,
    maxWaitingPerCaller: MAX_WAITING_PER_ADDRESS,
    maxWaitMs: MAX_WAIT_MS,
    waitedTooLong: busy
  })

  const isSlowed = (address: string): boolean => {
    const until = slowed.get(address)
    if (until === undefined) return false
    if (until > performance.now()) return true
    slowed.delete(address)
    return false
  }

  return {
    /** Lets credentials of this address wait for their turn, for so many seconds. */
    slowDown (address: string, seconds: number): void {
      lruSet(slowed, address, performance.now() + seconds * 1000, MAX_ADDRESSES)
    },

    /** Remembers that this Authorization header holds a valid credential. */
    right (authorization = ''): void {
      lruSet(worked, hash('sha256', authorization), true, MAX_CREDENTIALS)
    },

    /**
     * Runs a look-up, in its turn when its address was slowed down and the credential has not worked before.
     * @throws {Fault} `rate_limited` when too many look-ups of the address wait, or this one waited too long
     */
    run<T> (address: string, authorization = '', lookUp: () => Promise<T>): Promise<T> {
      return isSlowed(address) && !worked.has(hash('sha256', authorization)) ? queue.run(lookUp, address) : lookUp()
    }
  }
}
