/**
 * Limits how many calls of one credential run at the same time. Further calls wait in order of arrival, so that a
 * client that sends several at once need not know the limit. A call is rejected when too many wait or when it has
 * waited too long.
 */
import { Fault } from '../../lib/errors.js'
import type { CallSlot, HttpExchange } from '../eras/era.js'

interface ConcurrentCallsOptions {
  maxRunning: number
  maxWaiting?: number
  /** How the sentence of a refusal begins; "This credential has 8 calls under way, as many as it may" by default. */
  refusalStart?: string
}

type Caller = Pick<HttpExchange, 'onDisconnect'>

const WAITING_PER_RUNNING = 4
const MAX_WAIT_MS = 10_000
const RETRY_AFTER_SECONDS = 1

/** The calls of one credential. */
interface Calls {
  running: number
  waiting: Array<() => void>
  /** Passes the slot of a call on, so `running` stays the same for a call that waited. */
  release (): void
}

/** The slot of a call: occupied until it was answered and its work has settled. */
class OccupiedSlot implements CallSlot {
  #holding = 1
  #isAnswered = false

  constructor (private readonly calls: Calls) {}

  hold (work: Promise<unknown>): void {
    this.#holding++
    const letGo = (): void => this.#letGo()
    work.then(letGo, letGo)
  }

  /** Marks the call as answered. Calling it twice has no effect. */
  leave (): void {
    if (!this.#isAnswered) this.#letGo()
    this.#isAnswered = true
  }

  #letGo (): void {
    if (--this.#holding === 0) this.calls.release()
  }
}

export type ConcurrentCalls = ReturnType<typeof createConcurrentCalls>

/** It holds state for credentials that have calls running. */
export const createConcurrentCalls = (
  {
    maxRunning, maxWaiting = WAITING_PER_RUNNING * maxRunning,
    refusalStart = `This credential has ${maxRunning} calls under way, as many as it may`
  }: ConcurrentCallsOptions
) => {
  const byCredential = new Map<string, Calls>()

  const refusal = (): Fault => new Fault('rate_limited',
    `${refusalStart}, and others wait. ` +
    `Wait for an answer before you send the next, or try again in ${RETRY_AFTER_SECONDS} second.`,
    { scope: 'concurrent_calls', limit: maxRunning, retry_after_seconds: RETRY_AFTER_SECONDS })

  const wait = (calls: Calls, caller: Caller): Promise<void> => new Promise((resolve, reject) => {
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
    const timer = setTimeout(() => giveUp(refusal()), MAX_WAIT_MS)
    calls.waiting.push(start)
    caller.onDisconnect(() => giveUp(new Fault('cancelled', 'The caller went away.')))
  })

  const callsOf = (credential: string): Calls => {
    const known = byCredential.get(credential)
    if (known) return known
    const calls: Calls = {
      running: 0,
      waiting: [],
      release () {
        const next = calls.waiting.shift()
        if (next) next()
        else if (--calls.running === 0) byCredential.delete(credential)
      }
    }
    byCredential.set(credential, calls)
    return calls
  }

  return {
    /** Returns a slot for the call when one is free, and otherwise undefined. */
    enterAtOnce (credential: string): OccupiedSlot | undefined {
      const calls = callsOf(credential)
      if (calls.running >= maxRunning) return undefined
      calls.running++
      return new OccupiedSlot(calls)
    },

    /** Resolves when the call may run. */
    async enter (credential: string, caller: Caller): Promise<OccupiedSlot> {
      const slot = this.enterAtOnce(credential)
      if (slot) return slot
      const calls = callsOf(credential)
      if (calls.waiting.length >= maxWaiting) throw refusal()
      await wait(calls, caller)
      return new OccupiedSlot(calls)
    }
  }
}
