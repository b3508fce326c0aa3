/** How long a platform is put up with: asked again where that may be, after pauses drawn by lot; left alone when that never helps. */
import {
  BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, ExponentialBackoff, fullJitterGenerator,
  handleWhen, retry
} from 'cockatiel'
import { PlatformUnavailable } from './errors.js'

export interface RetryPolicy {
  /** `idempotent`: whether the work may be done more than once. */
  <T>(idempotent: boolean, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export interface RetryPolicyOptions {
  /** Milliseconds that a platform is left alone for; then one request tries it. */
  restMs?: number
  /** Told when it is given up, with the reason, and, with nothing, when it is back. */
  changed?: (reason?: unknown) => void
}

const FAILURES = 5
const RETRIES = 2
const PAUSES = { initialDelay: 50, maxDelay: 500, generator: fullJitterGenerator }

const isUnavailable = (error: unknown): error is PlatformUnavailable => error instanceof PlatformUnavailable
/** Whoever says when to come again is not asked before. */
const isRetryable = (error: unknown): boolean =>
  isUnavailable(error) && error.kind === 'transient' && error.retryAfterMs === undefined

export const createRetryPolicy = ({ restMs = 1000, changed = () => {} }: RetryPolicyOptions = {}): RetryPolicy => {
  const breaker = circuitBreaker(handleWhen(isUnavailable), {
    halfOpenAfter: restMs, breaker: new ConsecutiveBreaker(FAILURES)
  })
  const retrying = retry(handleWhen(isRetryable), { maxAttempts: RETRIES, backoff: new ExponentialBackoff(PAUSES) })
  let isOpen = false
  breaker.onBreak((reason) => {
    if (isOpen) return
    isOpen = true
    changed('error' in reason ? reason.error : undefined)
  })
  breaker.onReset(() => {
    isOpen = false
    changed()
  })

  const once = async <T>(work: () => Promise<T>): Promise<T> => {
    // While one tries whether it is back, the others do not wait for that.
    if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError()
    return await breaker.execute(work)
  }
  return async (idempotent, work, signal) => idempotent ? await retrying.execute(() => once(work), signal) : await once(work)
}

export const isCircuitOpen = (error: unknown): boolean => error instanceof BrokenCircuitError
