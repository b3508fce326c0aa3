/**
 * Limits how many calls of one credential run at the same time. Further calls wait in order of arrival, so that a
 * client that sends several at once need not know the limit. A call is rejected when too many wait or when it has
 * waited too long.
 */
import { Fault } from '../../lib/errors.js'
import type { CallSlot, HttpExchange } from '../eras/era.js'

export interface ConcurrentCallsOptions {
  /** Calls of one credential that run at the same time. */
  maxRunning: number
  /** Calls of one credential that may wait; four times `maxRunning` by default. */
  maxWaiting?: number
  /** Milliseconds that a call may wait; 10 s by default. */
  maxWaitMs?: number
  /** How the sentence of a refusal begins; "This credential has 8 calls under way, as many as it may" by default. */
  refusalStart?: string
}

/** The slot of a call that is not answered yet. */
export interface OccupiedSlot extends CallSlot {
  /** Marks the call as answered. Calling it twice has no effect. */
  leave (): void
}

export interface ConcurrentCalls {
  /**
   * Resolves with a slot when the call may run.
   * @param credential the credential's id
   * @param caller says when its client has disconnected
   * @throws {Fault} `rate_limited` when too many calls wait or this one waited too long, `cancelled` when the client
   * disconnected
   */
  enter (credential: string, caller: Pick<HttpExchange, 'onDisconnect'>): Promise<OccupiedSlot>
}

/** With more credentials than this, those without a running call are forgotten. */
const MAX_IDLE = 256
const WAITING_PER_RUNNING = 4
const MAX_WAIT_MS = 10_000
const RETRY_AFTER_SECONDS = 1

interface Calls { running: number, waiting: Array<() => void> }

/** A slot that a call occupies until it was answered and its work has settled. */
class CountedSlot implements OccupiedSlot {
  readonly #calls: Calls
  #holding = 1
  #isAnswered = false

  constructor (calls: Calls) {
    this.#calls = calls
  }

  hold (work: Promise<unknown>): void {
    this.#holding++
    const letGo = (): void => this.#letGo()
    work.then(letGo, letGo)
  }

  leave (): void {
    if (this.#isAnswered) return
    this.#isAnswered = true
    this.#letGo()
  }

  #letGo (): void {
    if (--this.#holding === 0) release(this.#calls)
  }
}

const release = (calls: Calls): void => {
  const next = calls.waiting.shift()
  if (next) next()
  else calls.running--
}

/**
 * Creates the limiter. A call that may not wait rejects with the `Fault` `rate_limited`. It holds state for
 * credentials that have calls running, and for a bounded number of others.
 */
export const createConcurrentCalls = (
  {
    maxRunning, maxWaiting = WAITING_PER_RUNNING * maxRunning, maxWaitMs = MAX_WAIT_MS,
    refusalStart = `This credential has ${maxRunning} calls under way, as many as it may`
  }: ConcurrentCallsOptions
): ConcurrentCalls => {
  const byCredential = new Map<string, Calls>()
  let forgetAt = MAX_IDLE

  const refusal = (): Fault => new Fault('rate_limited',
    `${refusalStart}, and others wait. ` +
    `Wait for an answer before you send the next, or try again in ${RETRY_AFTER_SECONDS} second.`,
    { scope: 'concurrent_calls', limit: maxRunning, retry_after_seconds: RETRY_AFTER_SECONDS })

  // Not at the end of each last call: most credentials call again, and a map that loses and gets a key each time is
  // slow.
  const forgetIdle = (): void => {
    for (const [credential, { running }] of byCredential) if (running === 0) byCredential.delete(credential)
    forgetAt = Math.max(MAX_IDLE, 2 * byCredential.size)
  }

  const callsOf = (credential: string): Calls => {
    const known = byCredential.get(credential)
    if (known) return known
    if (byCredential.size >= forgetAt) forgetIdle()
    const calls = { running: 0, waiting: [] }
    byCredential.set(credential, calls)
    return calls
  }

  const wait = (
    calls: Calls, caller: Pick<HttpExchange, 'onDisconnect'>
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
    caller.onDisconnect(() => giveUp(new Fault('cancelled', 'The caller went away.')))
  })

  return {
    async enter (credential, caller) {
      const calls = callsOf(credential)
      const { running, waiting } = calls
      if (running >= maxRunning && waiting.length >= maxWaiting) throw refusal()
      // release() passes the slot on, so `running` stays the same for a call that waited.
      if (running >= maxRunning) await wait(calls, caller)
      else calls.running++
      return new CountedSlot(calls)
    }
  }
}
