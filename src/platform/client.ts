/** Asks a platform: nothing that it answers is believed unread, and while it is away nobody waits long for it. */
import { Refusal, unavailable } from '../lib/errors.js'
import { isObject } from '../mcp/jsonrpc/parse.js'
import { validator, type Validation } from '../lib/schema/validator.js'
import { PlatformAway, PlatformBroken } from './errors.js'
import { exchange, type ExchangeSettings, type Received } from './http-client.js'
import type { Facts, Operation } from './operation.js'
import { isLeftAlone, patience, type PatienceSettings } from './resilience.js'
import { getPlatform } from './credential-operations.js'
import { parseBoundedJson } from '../lib/json-depth.js'

export interface Asked<Body> {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number | undefined>>
  body?: Body
  signal?: AbortSignal | undefined
}

export interface Platform {
  /** Rejects with the fault `unavailable` while the platform is away, and with a `Refusal` when a cursor is none of its own. */
  ask<Answer, Body> (operation: Operation<Answer, Body>, asked?: Asked<NoInfer<Body>>): Promise<Answer>
  /** Undefined when there is no such record. */
  find<Answer, Body> (operation: Operation<Answer, Body>, asked?: Asked<NoInfer<Body>>): Promise<Answer | undefined>
  /** Undefined when the platform does not have this optional operation. */
  askIfOffered<Answer, Body> (operation: Operation<Answer, Body>, asked?: Asked<NoInfer<Body>>): Promise<Answer | undefined>
  /** One try whether it is there and lets this front in; rejects with the operator's reason. */
  probe (): Promise<void>
  /** Told when it goes away, with the reason, and, with nothing, when it is back; and of what it turns out not to have. */
  watch (changed: (reason?: unknown) => void, lacks: (operation: Facts) => void): void
  close (): Promise<void>
}

export interface PlatformSettings extends ExchangeSettings, Pick<PatienceSettings, 'restMs'> {
  /** For an answer, with all attempts. */
  timeoutMs: number
}

const SMALL_BYTES = 1024 * 1024
const LARGE_BYTES = 64 * 1024 * 1024
const LACKING_FOR_MS = 60_000
const LONGEST_WAIT_MS = 60_000

const NOTHING = Symbol('nothing')

export const platformAt = (settings: PlatformSettings): Platform => {
  const { timeoutMs, restMs } = settings
  let changed = (_reason?: unknown): void => {}
  let lacks = (_operation: Facts): void => {}
  const { send, close } = exchange(settings)
  const patiently = patience({ restMs, changed: (reason) => changed(reason) })
  const checks = new Map<Facts, (value: unknown) => Validation<unknown>>()
  const lacking = new Map<Facts, number>()

  const checked = (operation: Facts, text: string): unknown => {
    const check = checks.get(operation) ?? validator(operation.answer, { prune: true })
    checks.set(operation, check)
    const outcome = check(parsed(text))
    if (!outcome.ok) throw new PlatformBroken(`${operation.id} was answered with what is no ${titleOf(operation)}: ${outcome.faults.join('; ')}.`)
    return outcome.value
  }

  const answerOf = (operation: Facts, { status, text, retryAfterMs }: Received, paged = false): unknown => {
    if (status >= 200 && status < 300) return checked(operation, text)
    if (status === 404 && (operation.mayLack || operation.without !== undefined)) return NOTHING
    if ((status === 405 || status === 501) && operation.without !== undefined) return NOTHING
    if (status === 422 && paged) throw new Refusal('This cursor is not one of this list\'s. Start again without a cursor.')
    throw wrong(operation, status, retryAfterMs)
  }

  const run = async (operation: Facts, { params = {}, query = {}, body, signal }: Asked<unknown>): Promise<unknown> => {
    const path = `${filled(operation.path, params)}${searchOf(query)}`
    const paged = query['cursor'] !== undefined || (isObject(body) && body['cursor'] !== undefined)
    const deadline = performance.now() + timeoutMs
    const attempt = async (): Promise<unknown> => {
      // The first leaves time for another.
      const left = Math.max(1, Math.min(deadline - performance.now(), operation.again ? timeoutMs / 2 : timeoutMs))
      const most = operation.large ? LARGE_BYTES : SMALL_BYTES
      return answerOf(operation, await send({ method: operation.method, path, body, most, timeoutMs: Math.ceil(left), signal }), paged)
    }
    try {
      return await patiently(operation.again, attempt, signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (isLeftAlone(error)) throw unavailable('The platform is away.', undefined)
      if (!(error instanceof PlatformAway)) throw error
      throw unavailable('The platform is away.', error, Math.ceil(Math.min(error.retryAfterMs ?? 0, LONGEST_WAIT_MS) / 1000) || 1)
    }
  }

  return {
    async ask<Answer> (operation: Operation<Answer, never>, asked = {}) {
      return await run(operation, asked) as Answer
    },

    async find<Answer> (operation: Operation<Answer, never>, asked = {}) {
      const found = await run(operation, asked)
      return found === NOTHING ? undefined : found as Answer
    },

    async askIfOffered<Answer> (operation: Operation<Answer, never>, asked = {}) {
      if ((lacking.get(operation) ?? 0) > performance.now()) return undefined
      const answer = await run(operation, asked)
      if (answer !== NOTHING) return answer as Answer
      if (!lacking.has(operation)) lacks(operation)
      lacking.set(operation, performance.now() + LACKING_FOR_MS)
      return undefined
    },

    async probe () {
      const { method, path } = getPlatform
      answerOf(getPlatform, await send({ method, path, most: SMALL_BYTES, timeoutMs }))
    },

    watch (newChanged, newLacks) {
      changed = newChanged
      lacks = newLacks
    },

    close
  }
}

/** Redirects are not followed: the token would go along. */
const wrong = ({ id }: Facts, status: number, retryAfterMs: number | undefined): Error => {
  const words = `The platform answered ${id} with ${status}`
  if (status === 401 || status === 403) return new PlatformAway(`${words}: it does not let this front in. Check PLATFORM_TOKEN.`, 'lasting')
  if (status === 404 || status === 405) {
    return new PlatformAway(`${words}: check PLATFORM_URL, and that a server of ours there has a PLATFORM_TOKEN, or PLATFORM_API=true on this machine.`, 'lasting')
  }
  if (status >= 300 && status < 400) return new PlatformAway(`${words}, a redirect, which is not followed: check PLATFORM_URL.`, 'lasting')
  if (status >= 500 || [408, 425, 429].includes(status)) return new PlatformAway(`${words}.`, 'passing', retryAfterMs)
  return new PlatformBroken(`${words}.`)
}

const filled = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''))

const searchOf = (query: Readonly<Record<string, string | number | undefined>>): string => {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
  return given.size === 0 ? '' : `?${given}`
}

const parsed = (text: string): unknown => {
  try {
    return parseBoundedJson(text)
  } catch {
    return undefined
  }
}

const titleOf = ({ answer }: Facts): string => 'title' in answer ? String(answer.title) : 'answer'
