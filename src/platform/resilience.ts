/** How long a platform is put up with: asked again where that may be, after pauses drawn by lot; left alone when that never helps. */
import {
  BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, ExponentialBackoff, fullJitterGenerator, handleWhen, retry
} from 'cockatiel'
import { PlatformAway } from './errors.js'

export interface Patience {
  /** `again`: whether the work may be done more than once. */
  <T>(again: boolean, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export interface PatienceSettings {
  /** Milliseconds that a platform is left alone for; then one request tries it. */
  restMs?: number
  /** Told when it is given up, with the reason, and, with nothing, when it is back. */
  changed?: (reason?: unknown) => void
}

const FAILURES = 5
const RETRIES = 2
const PAUSES = { initialDelay: 50, maxDelay: 500, generator: fullJitterGenerator }

const isAway = (error: unknown): error is PlatformAway => error instanceof PlatformAway
/** Whoever says when to come again is not asked before. */
const helps = (error: unknown): boolean => isAway(error) && error.kind === 'passing' && error.retryAfterMs === undefined

export const patience = ({ restMs = 1000, changed = () => {} }: PatienceSettings = {}): Patience => {
  const breaker = circuitBreaker(handleWhen(isAway), { halfOpenAfter: restMs, breaker: new ConsecutiveBreaker(FAILURES) })
  const persisting = retry(handleWhen(helps), { maxAttempts: RETRIES, backoff: new ExponentialBackoff(PAUSES) })
  let given = false
  breaker.onBreak((reason) => {
    if (given) return
    given = true
    changed('error' in reason ? reason.error : undefined)
  })
  breaker.onReset(() => {
    given = false
    changed()
  })

  const once = async <T>(work: () => Promise<T>): Promise<T> => {
    // While one tries whether it is back, the others do not wait for that.
    if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError()
    return await breaker.execute(work)
  }
  return async (again, work, signal) => again ? await persisting.execute(() => once(work), signal) : await once(work)
}

export const isLeftAlone = (error: unknown): boolean => error instanceof BrokenCircuitError
