/** What a handler asks of a client: by a request on the stream (legacy), or a result and a retry (modern). */
import type { InputRequest, InputResponses, InputRequired } from './request-context.js'
import { Fault } from '../lib/errors.js'
import { isObject } from '../lib/json/json-object.js'

export type InputOutcome =
  /** The client sent the responses already. */
  | { kind: 'answered', responses: InputResponses }
  /** The request ends with this result. The client retries it with the responses. */
  | { kind: 'ended', result: Record<string, unknown> }
  /** Send `frames` when `noted` has resolved (it never rejects). The responses arrive in other HTTP requests. */
  | { kind: 'asking', frames: string[], noted: Promise<void>, responses: Promise<InputResponses> }

export type RequestInput = (step: InputRequired) => InputOutcome

type Capability = readonly [name: string, part?: string]

/** The capability that a request needs: 2026-07-28 client/elicitation#capabilities, client/sampling#capabilities. */
const capabilityOf = ({ method, params }: InputRequest): Capability => {
  switch (method) {
    case 'elicitation/create': return ['elicitation', params['mode'] === 'url' ? 'url' : 'form']
    case 'sampling/createMessage':
      return params['tools'] === undefined && params['toolChoice'] === undefined ? ['sampling'] : ['sampling', 'tools']
    case 'roots/list': return ['roots']
  }
}

/** An elicitation capability that names no mode stands for forms, as before revision 2025-11-25. */
const isDeclared = ([name, part]: Capability, declared: Readonly<Record<string, unknown>>): boolean => {
  const parts = declared[name]
  if (!isObject(parts)) return false
  return part === undefined || isObject(parts[part]) || (part === 'form' && !isObject(parts['url']))
}

/** @throws {Fault} `missing_capability` for what the client did not declare: 2026-07-28 basic/index#meta */
export const requireCapabilities = ({ requests }: InputRequired, declared: Readonly<Record<string, unknown>>): void => {
  const missing = Object.values(requests)
    .map(capabilityOf)
    .filter((capability) => !isDeclared(capability, declared))
    // A client that declares no elicitation at all may declare it without a mode.
    .map(([name, part]): Capability => part === 'form' && !isObject(declared[name]) ? [name] : [name, part])
  if (missing.length === 0) return
  const requiredCapabilities: Record<string, Record<string, object>> = {}
  for (const [name, part] of missing) {
    requiredCapabilities[name] = { ...requiredCapabilities[name], ...(part !== undefined && { [part]: {} }) }
  }
  const names = [...new Set(missing.map(([name, part]) => part === undefined ? name : `${name}.${part}`))]
  const message = `This needs a client that declares ${names.join(', ')}.`
  throw new Fault('missing_capability', message, { requiredCapabilities })
}

export const isInputResponse = (
  { method, params }: InputRequest, value: unknown
): value is Readonly<Record<string, unknown>> => {
  if (!isObject(value)) return false
  switch (method) {
    case 'elicitation/create':
      // 2026-07-28 client/elicitation#response-actions: what is done at a URL is not part of the response
      return value['action'] === 'accept'
        ? params['mode'] === 'url' || isObject(value['content'])
        : value['action'] === 'decline' || value['action'] === 'cancel'
    case 'roots/list': return Array.isArray(value['roots'])
    case 'sampling/createMessage': return 'content' in value && typeof value['role'] === 'string'
  }
}
