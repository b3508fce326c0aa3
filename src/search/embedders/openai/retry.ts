/** Retries for documents, and a circuit breaker for queries. */
import { setTimeout as sleep } from 'node:timers/promises'
import { BrokenCircuitError, circuitBreaker, ConsecutiveBreaker, DelegateBackoff, handleWhen } from 'cockatiel'
import { EmbedderUnavailable } from '../../embedder.js'

export interface RetryOptions {
  attempts: number
  /** Milliseconds over all attempts and the pauses between them. */
  totalMs: number
  /** The longest first pause in milliseconds. It doubles with each attempt; the actual pause is random. */
  pauseMs: number
}

const MAX_PAUSE_MS = 10_000

/** Retries within `totalMs`, after the pause that is asked for. @throws {EmbedderUnavailable} the last failure */
export async function withRetry<T> (
  work: () => Promise<T>, { attempts, totalMs, pauseMs }: RetryOptions, signal?: AbortSignal
): Promise<T> {
  const deadline = performance.now() + totalMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof EmbedderUnavailable) || error.kind !== 'transient' || attempt >= attempts) throw error
      const pause = (error.retryAfterMs ?? 0) + Math.random() * Math.min(MAX_PAUSE_MS, pauseMs * 2 ** (attempt - 1))
      if (performance.now() + pause > deadline) throw error
      await sleep(pause, undefined, { signal }).catch(() => signal?.throwIfAborted())
    }
  }
}

const FAILURES = 3

/** After three failures in a row the service is skipped for `restMs`, or as long as it asks; then one call tries. */
export function createCircuitBreaker (restMs: number): <T>(work: () => Promise<T>) => Promise<T> {
  const policy = circuitBreaker(handleWhen((error) => error instanceof EmbedderUnavailable && error.kind !== 'input'), {
    breaker: new ConsecutiveBreaker(FAILURES),
    halfOpenAfter: new DelegateBackoff(({ result }) => {
      const failure = 'error' in result ? result.error : undefined
      return Math.max(restMs, failure instanceof EmbedderUnavailable ? failure.retryAfterMs ?? 0 : 0)
    })
  })
  return async (work) => {
    try {
      return await policy.execute(work)
    } catch (error) {
      if (error instanceof BrokenCircuitError) {
        throw new EmbedderUnavailable('The embedding service failed again and again and is left alone for a moment')
      }
      throw error
    }
  }
}
