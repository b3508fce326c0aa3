/** Calls the operations of a platform: validates each response by its schema, and bounds the time of each call. */
import { Refusal, unavailable } from '../../lib/errors.js'
import { isObject } from '../../lib/json/json-object.js'
import { PlatformUnavailable, PlatformProtocolError } from './errors.js'
import { platformHttpClient, type PlatformHttpOptions, type PlatformHttpResponse } from './http-client.js'
import type { OperationSpec, PlatformOperation } from './operation.js'
import { isCircuitOpen, createRetryPolicy } from './resilience.js'
import { callers } from './credential-operations.js'
import { parseJsonOrUndefined } from '../../lib/json/json-depth.js'

export interface OperationRequest<Body> {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number | undefined>>
  body?: Body
  signal?: AbortSignal | undefined
}

export interface Platform {
  /**
   * Sends a request and returns its validated response: undefined when the record does not exist, or when the platform
   * does not support this optional operation. That one is then not requested again for a minute.
   * @throws {Fault} `unavailable` while the platform is away
   * @throws {Refusal} when the platform rejects a cursor
   * @throws {PlatformProtocolError} when the response does not match its schema
   */
  request<Answer, Body> (
    operation: PlatformOperation<Answer, Body>, request?: OperationRequest<NoInfer<Body>>
  ): Promise<Answer>
  /** Tests once whether the platform answers and accepts this gateway; rejects with a reason for the operator. */
  probe (): Promise<void>
  /**
   * @param changed called with the reason when the platform becomes unavailable, and without one when it is back
   * @param lacks called for each optional operation that the platform turns out not to support
   */
  watch (changed: (reason?: unknown) => void, lacks: (operation: OperationSpec) => void): void
  close (): Promise<void>
}

export interface PlatformOptions extends PlatformHttpOptions {
  /** Milliseconds for one call, with all its attempts. */
  timeoutMs: number
  /** Milliseconds that nothing is sent after repeated failures; then one request tests the platform. */
  restMs?: number
}

const SMALL_BYTES = 1024 * 1024
const LARGE_BYTES = 64 * 1024 * 1024
const UNSUPPORTED_FOR_MS = 60_000
const MAX_RETRY_AFTER_MS = 60_000

/** Creates the client. It does not connect before the first request. */
export const connectPlatform = (settings: PlatformOptions): Platform => {
  const { timeoutMs, restMs } = settings
  let changed = (_reason?: unknown): void => {}
  let onUnsupported = (_operation: OperationSpec): void => {}
  const { send, close } = platformHttpClient(settings)
  const withRetry = createRetryPolicy((reason) => changed(reason), restMs)
  const unsupported = new Map<OperationSpec, number>()

  const checked = (operation: OperationSpec, text: string): unknown => {
    const outcome = operation.check(parseJsonOrUndefined(text))
    if (outcome.ok) return outcome.value
    const faults = outcome.faults.join('; ')
    throw new PlatformProtocolError(`${operation.id} was answered with what is no ${titleOf(operation)}: ${faults}.`)
  }

  const answerOf = (
    operation: OperationSpec, { status, text, retryAfterMs }: PlatformHttpResponse, paged = false
  ): unknown => {
    if (status >= 200 && status < 300) return checked(operation, text)
    if (status === 404 && operation.mayLack) return undefined
    if (operation.without !== undefined && [404, 405, 501].includes(status)) {
      if (!unsupported.has(operation)) onUnsupported(operation)
      unsupported.set(operation, performance.now() + UNSUPPORTED_FOR_MS)
      return undefined
    }
    if (status === 422 && paged) {
      throw new Refusal('This cursor is not one of this list\'s. Start again without a cursor.')
    }
    throw statusError(operation, status, retryAfterMs)
  }

  const run = async (
    operation: OperationSpec, { params = {}, query = {}, body, signal }: OperationRequest<unknown>
  ): Promise<unknown> => {
    const path = `${fillPath(operation.path, params)}${searchOf(query)}`
    const paged = query['cursor'] !== undefined || (isObject(body) && body['cursor'] !== undefined)
    const deadline = performance.now() + timeoutMs
    const attempt = async (): Promise<unknown> => {
      // The first attempt takes at most half the time, so that a second one can follow.
      const maxMs = operation.once ? timeoutMs : timeoutMs / 2
      const left = Math.ceil(Math.max(1, Math.min(deadline - performance.now(), maxMs)))
      const maxBytes = operation.large ? LARGE_BYTES : SMALL_BYTES
      const response = await send({ method: operation.method, path, body, maxBytes, timeoutMs: left, signal })
      return answerOf(operation, response, paged)
    }
    try {
      return await withRetry(!operation.once, attempt, signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (isCircuitOpen(error)) throw unavailable('The platform is away.', undefined)
      if (!(error instanceof PlatformUnavailable)) throw error
      const retryAfterMs = Math.min(error.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)
      throw unavailable('The platform is away.', error, Math.ceil(retryAfterMs / 1000) || 1)
    }
  }

  return {
    async request<Answer> (operation: PlatformOperation<Answer, never>, request = {}) {
      const isLacking = (unsupported.get(operation) ?? 0) > performance.now()
      // `Answer` is the type of the operation's schema, and undefined where there may be none.
      return (isLacking ? undefined : await run(operation, request)) as Answer
    },

    async probe () {
      const { method, path } = callers.getPlatform
      answerOf(callers.getPlatform, await send({ method, path, maxBytes: SMALL_BYTES, timeoutMs }))
    },

    watch (newChanged, newLacks) {
      changed = newChanged
      onUnsupported = newLacks
    },

    close
  }
}

/** Maps an error status to an error. A redirect is an error, because following it would send the token elsewhere. */
const statusError = ({ id }: OperationSpec, status: number, retryAfterMs: number | undefined): Error => {
  const words = `The platform answered ${id} with ${status}`
  const permanent = (reason: string): Error => new PlatformUnavailable(`${words}${reason}`, 'permanent')
  if (status === 401 || status === 403) return permanent(': it does not let this gateway in. Check PLATFORM_TOKEN.')
  if (status === 404 || status === 405) {
    return permanent(': check PLATFORM_URL, and that a server of ours there has a PLATFORM_TOKEN, ' +
      'or PLATFORM_API=true on this machine.')
  }
  if (status >= 300 && status < 400) return permanent(', a redirect, which is not followed: check PLATFORM_URL.')
  if (status >= 500 || [408, 425, 429].includes(status)) {
    return new PlatformUnavailable(`${words}.`, 'transient', retryAfterMs)
  }
  return new PlatformProtocolError(`${words}.`)
}

const fillPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''))

const searchOf = (query: Readonly<Record<string, string | number | undefined>>): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? '' : `?${search}`
}

const titleOf = ({ answer }: OperationSpec): string => 'title' in answer ? String(answer.title) : 'answer'
