/**
 * Retries requests to the platform with jittered pauses, and stops sending for a while after repeated failures (circuit
 * breaker).
 */
import {
  BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, ExponentialBackoff, fullJitterGenerator,
  handleWhen, retry
} from 'cockatiel'
import { PlatformUnavailable } from './errors.js'

const FAILURES = 5
const RETRIES = 2
const PAUSES = { initialDelay: 50, maxDelay: 500, generator: fullJitterGenerator }

const isUnavailable = (error: unknown): error is PlatformUnavailable => error instanceof PlatformUnavailable
/** A platform that sends Retry-After is not retried at once. */
const isRetryable = (error: unknown): boolean =>
  isUnavailable(error) && error.kind === 'transient' && error.retryAfterMs === undefined

/**
 * Creates the policy. It runs the work at most three times when it is idempotent, otherwise once, and rejects with its
 * last error, or the breaker's own: see `isCircuitOpen`. The circuit opens after five consecutive `PlatformUnavailable`
 * errors, for `restMs` milliseconds; `changed` is called with the reason then, and without one when it closes.
 */
export const createRetryPolicy = (changed: (reason?: unknown) => void, restMs = 1000) => {
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
    // While one request tests the platform, the others fail at once instead of waiting for it.
    if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError()
    return await breaker.execute(work)
  }
  return async <T>(idempotent: boolean, work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    idempotent ? await retrying.execute(() => once(work), signal) : await once(work)
}

/** Whether the error means that the circuit is open and the request was not sent. */
export const isCircuitOpen = (error: unknown): boolean => error instanceof BrokenCircuitError
