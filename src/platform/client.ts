/** Asks a platform: nothing that it answers is believed unread, and while it is away nobody waits long for it. */
import { Refusal, unavailable } from '../lib/errors.js'
import { isObject } from '../mcp/jsonrpc/parse.js'
import { validator, type Validation } from '../lib/schema/validator.js'
import { PlatformUnavailable, PlatformProtocolError } from './errors.js'
import { platformHttpClient, type PlatformHttpOptions, type PlatformHttpResponse } from './http-client.js'
import type { OperationSpec, PlatformOperation } from './operation.js'
import { isCircuitOpen, createRetryPolicy, type RetryPolicyOptions } from './resilience.js'
import { getPlatform } from './credential-operations.js'
import { parseBoundedJson } from '../lib/json-depth.js'

export interface OperationRequest<Body> {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number | undefined>>
  body?: Body
  signal?: AbortSignal | undefined
}

export interface Platform {
  /** Rejects with the fault `unavailable` while the platform is away, and with a `Refusal` when a cursor is none of its own. */
  request<Answer, Body> (
    operation: PlatformOperation<Answer, Body>, request?: OperationRequest<NoInfer<Body>>
  ): Promise<Answer>
  /** Undefined when there is no such record. */
  requestOrUndefined<Answer, Body> (
    operation: PlatformOperation<Answer, Body>, request?: OperationRequest<NoInfer<Body>>
  ): Promise<Answer | undefined>
  /** Undefined when the platform does not have this optional operation. */
  requestIfSupported<Answer, Body> (
    operation: PlatformOperation<Answer, Body>, request?: OperationRequest<NoInfer<Body>>
  ): Promise<Answer | undefined>
  /** One try whether it is there and lets this front in; rejects with the operator's reason. */
  probe (): Promise<void>
  /** Told when it goes away, with the reason, and, with nothing, when it is back; and of what it turns out not to have. */
  watch (changed: (reason?: unknown) => void, lacks: (operation: OperationSpec) => void): void
  close (): Promise<void>
}

export interface PlatformOptions extends PlatformHttpOptions, Pick<RetryPolicyOptions, 'restMs'> {
  /** For an answer, with all attempts. */
  timeoutMs: number
}

const SMALL_BYTES = 1024 * 1024
const LARGE_BYTES = 64 * 1024 * 1024
const UNSUPPORTED_FOR_MS = 60_000
const MAX_RETRY_AFTER_MS = 60_000

const NOTHING = Symbol('nothing')

export const connectPlatform = (settings: PlatformOptions): Platform => {
  const { timeoutMs, restMs } = settings
  let changed = (_reason?: unknown): void => {}
  let onUnsupported = (_operation: OperationSpec): void => {}
  const { send, close } = platformHttpClient(settings)
  const withRetry = createRetryPolicy({ restMs, changed: (reason) => changed(reason) })
  const checks = new Map<OperationSpec, (value: unknown) => Validation<unknown>>()
  const unsupported = new Map<OperationSpec, number>()

  const checked = (operation: OperationSpec, text: string): unknown => {
    const check = checks.get(operation) ?? validator(operation.answer, { prune: true })
    checks.set(operation, check)
    const outcome = check(parsed(text))
    if (!outcome.ok) throw new PlatformProtocolError(`${operation.id} was answered with what is no ${titleOf(operation)}: ${outcome.faults.join('; ')}.`)
    return outcome.value
  }

  const answerOf = (
    operation: OperationSpec, { status, text, retryAfterMs }: PlatformHttpResponse, paged = false
  ): unknown => {
    if (status >= 200 && status < 300) return checked(operation, text)
    if (status === 404 && (operation.mayLack || operation.without !== undefined)) return NOTHING
    if ((status === 405 || status === 501) && operation.without !== undefined) return NOTHING
    if (status === 422 && paged) throw new Refusal('This cursor is not one of this list\'s. Start again without a cursor.')
    throw statusError(operation, status, retryAfterMs)
  }

  const run = async (
    operation: OperationSpec, { params = {}, query = {}, body, signal }: OperationRequest<unknown>
  ): Promise<unknown> => {
    const path = `${fillPath(operation.path, params)}${searchOf(query)}`
    const paged = query['cursor'] !== undefined || (isObject(body) && body['cursor'] !== undefined)
    const deadline = performance.now() + timeoutMs
    const attempt = async (): Promise<unknown> => {
      // The first leaves time for another.
      const left = Math.max(1, Math.min(deadline - performance.now(), operation.idempotent ? timeoutMs / 2 : timeoutMs))
      const maxBytes = operation.large ? LARGE_BYTES : SMALL_BYTES
      return answerOf(operation, await send({ method: operation.method, path, body, maxBytes, timeoutMs: Math.ceil(left), signal }), paged)
    }
    try {
      return await withRetry(operation.idempotent, attempt, signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (isCircuitOpen(error)) throw unavailable('The platform is away.', undefined)
      if (!(error instanceof PlatformUnavailable)) throw error
      throw unavailable('The platform is away.', error, Math.ceil(Math.min(error.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS) / 1000) || 1)
    }
  }

  return {
    async request<Answer> (operation: PlatformOperation<Answer, never>, request = {}) {
      return await run(operation, request) as Answer
    },

    async requestOrUndefined<Answer> (operation: PlatformOperation<Answer, never>, request = {}) {
      const found = await run(operation, request)
      return found === NOTHING ? undefined : found as Answer
    },

    async requestIfSupported<Answer> (operation: PlatformOperation<Answer, never>, request = {}) {
      if ((unsupported.get(operation) ?? 0) > performance.now()) return undefined
      const answer = await run(operation, request)
      if (answer !== NOTHING) return answer as Answer
      if (!unsupported.has(operation)) onUnsupported(operation)
      unsupported.set(operation, performance.now() + UNSUPPORTED_FOR_MS)
      return undefined
    },

    async probe () {
      const { method, path } = getPlatform
      answerOf(getPlatform, await send({ method, path, maxBytes: SMALL_BYTES, timeoutMs }))
    },

    watch (newChanged, newLacks) {
      changed = newChanged
      onUnsupported = newLacks
    },

    close
  }
}

/** Redirects are not followed: the token would go along. */
const statusError = ({ id }: OperationSpec, status: number, retryAfterMs: number | undefined): Error => {
  const words = `The platform answered ${id} with ${status}`
  if (status === 401 || status === 403) return new PlatformUnavailable(`${words}: it does not let this front in. Check PLATFORM_TOKEN.`, 'permanent')
  if (status === 404 || status === 405) {
    return new PlatformUnavailable(`${words}: check PLATFORM_URL, and that a server of ours there has a PLATFORM_TOKEN, or PLATFORM_API=true on this machine.`, 'permanent')
  }
  if (status >= 300 && status < 400) return new PlatformUnavailable(`${words}, a redirect, which is not followed: check PLATFORM_URL.`, 'permanent')
  if (status >= 500 || [408, 425, 429].includes(status)) return new PlatformUnavailable(`${words}.`, 'transient', retryAfterMs)
  return new PlatformProtocolError(`${words}.`)
}

const fillPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''))

const searchOf = (query: Readonly<Record<string, string | number | undefined>>): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? '' : `?${search}`
}

const parsed = (text: string): unknown => {
  try {
    return parseBoundedJson(text)
  } catch {
    return undefined
  }
}

const titleOf = ({ answer }: OperationSpec): string => 'title' in answer ? String(answer.title) : 'answer'
