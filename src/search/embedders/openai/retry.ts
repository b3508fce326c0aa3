/** How long a service that fails is put up with: documents wait and try again, queries soon stop asking. */
import { setTimeout as sleep } from 'node:timers/promises'
import { BrokenCircuitError, circuitBreaker, ConsecutiveBreaker, DelegateBackoff, handleWhen } from 'cockatiel'
import { EmbedderUnavailable } from '../../embedder.js'

export interface RetryOptions {
  attempts: number
  /** Milliseconds over all attempts and the pauses between them. */
  totalMs: number
  /** The first pause at most; each further one may be twice as long, and all are drawn by lot. */
  pauseMs: number
}

const MAX_PAUSE_MS = 10_000

/** Tries again while that may help, after as long as the service asks for, within the time there is. */
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

/**
 * After three failures in a row the service is left alone for `restMs`, or for as long as it asked; then one call
 * tries it.
 */
export function createCircuitBreaker (restMs: number): <T>(work: () => Promise<T>) => Promise<T> {
  const policy = circuitBreaker(handleWhen((error) => error instanceof EmbedderUnavailable && error.kind !== 'input'), {
    breaker: new ConsecutiveBreaker(FAILURES),
    halfOpenAfter: new DelegateBackoff(({ result }) =>
      Math.max(restMs, 'error' in result && result.error instanceof EmbedderUnavailable ? result.error.retryAfterMs ?? 0 : 0))
  })
  return async (work) => {
    try {
      return await policy.execute(work)
    } catch (error) {
      if (error instanceof BrokenCircuitError) throw new EmbedderUnavailable('The embedding service failed again and again and is left alone for a moment')
      throw error
    }
  }
}
