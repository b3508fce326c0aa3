/**
 * Lets requests begin a few in each turn of the event loop, the callers in turn. Node accepts one connection a turn: if
 * each turn handled all requests that have arrived, a caller who opens a hundred connections at once would keep
 * everybody else's from being accepted.
 */
import type { Server } from 'node:net'

export interface RequestSchedulerOptions {
  /** Requests that begin in one turn. */
  maxPerTurn?: number
  /** Milliseconds that turns only accept connections at most, between two in which requests begin. */
  maxAcceptMs?: number
  /** A monotonic clock in milliseconds. */
  now?: () => number
}

export interface RequestScheduler {
  /**
   * Calls `begin`, at once if this turn has room, otherwise when it is its caller's turn.
   * @param caller any text that tells callers apart
   */
  schedule (caller: string, begin: () => void): void
}

const MAX_PER_TURN = 4
const MAX_ACCEPT_MS = 10

/** Creates the scheduler for the requests of one server. */
export const createRequestScheduler = (
  server: Pick<Server, 'on'>,
  {
    maxPerTurn = MAX_PER_TURN, maxAcceptMs = MAX_ACCEPT_MS, now = () => performance.now()
  }: RequestSchedulerOptions = {}
): RequestScheduler => {
  // In the order of their turns; a caller is here while requests of it wait.
  const waiting = new Map<string, Array<() => void>>()
  let begun = 0
  let turnPlanned = false
  /** Whether a connection was accepted in this turn: others may wait to be. */
  let accepted = false
  /** When turns began that only accept connections; undefined outside them. */
  let acceptingSince: number | undefined

  const planTurn = (): void => {
    if (turnPlanned) return
    turnPlanned = true
    setImmediate(nextTurn)
  }

  const beginNext = (caller: string, requests: Array<() => void>): void => {
    // The caller's next turn comes after those of all others.
    waiting.delete(caller)
    const begin = requests.shift()
    if (requests.length > 0) waiting.set(caller, requests)
    begun++
    begin?.()
  }

  const nextTurn = (): void => {
    turnPlanned = false
    begun = 0
    const othersMayWait = accepted
    accepted = false
    if (waiting.size === 0) {
      acceptingSince = undefined
      return
    }
    planTurn()
    if (othersMayWait) {
      acceptingSince ??= now()
      if (now() - acceptingSince < maxAcceptMs) return
    }
    acceptingSince = undefined
    // The map's iterator goes on to the callers that are put at the end meanwhile.
    for (const [caller, requests] of waiting) {
      if (begun >= maxPerTurn) break
      beginNext(caller, requests)
    }
  }

  server.on('connection', () => {
    accepted = true
    planTurn()
  })

  return {
    schedule (caller, begin) {
      planTurn()
      if (waiting.size === 0 && !accepted && begun < maxPerTurn) {
        begun++
        begin()
        return
      }
      const requests = waiting.get(caller)
      if (requests) requests.push(begin)
      else waiting.set(caller, [begin])
    }
  }
}
