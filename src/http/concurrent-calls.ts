/**
 * How many calls of one credential are worked on at a time. More wait for a moment, in the order in which they came, so that a client
 * that asks several things at once need not know the bound; when too many wait, or one waits too long, it is refused.
 */
import { Fault } from '../lib/errors.js'

export interface ConcurrentCallsOptions {
  /** Calls that are worked on at a time. */
  maxRunning: number
  /** Calls that wait. */
  maxWaiting?: number
  /** Milliseconds that one waits. */
  maxWaitMs?: number
}

export interface Place {
  /** The place is taken until this work is over too, however it ends: also when its caller has left. */
  hold (work: Promise<unknown>): void
  /** The call was answered. */
  leave (): void
}

export interface ConcurrentCalls {
  /**
   * Resolves when a call of the credential, which is named by its id, may be worked on.
   * @param whenGone calls back when the caller goes away
   * @throws a `Fault`: `rate_limited` when too many wait, `cancelled` when the caller went away meanwhile
   */
  enter (credential: string, whenGone: (listener: () => void) => void): Promise<Place>
}

const WAITING_PER_RUNNING = 4
const MAX_WAIT_MS = 10_000
const RETRY_AFTER_SECONDS = 1

interface Calls { running: number, waiting: Array<() => void> }

export const createConcurrentCalls = (
  { maxRunning, maxWaiting = WAITING_PER_RUNNING * maxRunning, maxWaitMs = MAX_WAIT_MS }: ConcurrentCallsOptions
): ConcurrentCalls => {
  const byCredential = new Map<string, Calls>()

  const refusal = (): Fault => new Fault('rate_limited',
    `This credential has ${maxRunning} calls under way, as many as it may, and others wait. Wait for an answer before you send the next, or try again ` +
    `in ${RETRY_AFTER_SECONDS} second.`,
    { scope: 'concurrent_calls', limit: maxRunning, retry_after_seconds: RETRY_AFTER_SECONDS })

  const release = (credential: string, calls: Calls): void => {
    const next = calls.waiting.shift()
    if (next) {
      next()
    } else if (--calls.running === 0) {
      byCredential.delete(credential)
    }
  }

  const placeOf = (credential: string, calls: Calls): Place => {
    let holding = 1
    let answered = false
    const letGo = (): void => { if (--holding === 0) release(credential, calls) }
    return {
      hold (work) {
        holding++
        work.then(letGo, letGo)
      },
      leave () {
        if (answered) return
        answered = true
        letGo()
      }
    }
  }

  const wait = (
    calls: Calls, whenGone: (listener: () => void) => void
  ): Promise<void> => new Promise((resolve, reject) => {
    const giveUp = (fault: Fault): void => {
      const at = calls.waiting.indexOf(start)
      if (at === -1) return
      calls.waiting.splice(at, 1)
      clearTimeout(timer)
      reject(fault)
    }
    const start = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => giveUp(refusal()), maxWaitMs)
    calls.waiting.push(start)
    whenGone(() => giveUp(new Fault('cancelled', 'The caller went away.')))
  })

  return {
    async enter (credential, whenGone) {
      const calls = byCredential.get(credential) ?? { running: 0, waiting: [] }
      byCredential.set(credential, calls)
      if (calls.running < maxRunning) calls.running++
      else if (calls.waiting.length >= maxWaiting) throw refusal()
      // Whoever leaves hands its place over.
      else await wait(calls, whenGone)
      return placeOf(credential, calls)
    }
  }
}
