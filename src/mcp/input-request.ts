/**
 * What a handler may request from the client: as a request on the stream (legacy), or as a result after which the
 * client retries (modern).
 */
import type { InputRequest, InputResponses, InputRequired } from './request-context.js'
import { Fault } from '../lib/errors.js'
import { isObject } from '../lib/json-object.js'

export type InputOutcome =
  /** The client sent the responses already. */
  | { kind: 'answered', responses: InputResponses }
  /** The request ends with this result. The client retries it with the responses. */
  | { kind: 'ended', result: Record<string, unknown> }
  /** Send `frames` when `noted` has resolved (it never rejects). The responses arrive in other HTTP requests. */
  | { kind: 'asking', frames: string[], noted: Promise<void>, responses: Promise<InputResponses> }

export type RequestInput = (step: InputRequired) => InputOutcome

const CAPABILITY: Record<InputRequest['method'], string> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots'
}

/**
 * Refuses a step that needs a capability which the client did not declare: 2026-07-28 basic/index#meta.
 * @throws {Fault} `missing_capability`, with the capabilities in its data
 */
export const requireCapabilities = ({ requests }: InputRequired, declared: Readonly<Record<string, unknown>>): void => {
  const missing = Object.values(requests)
    .map(({ method }) => CAPABILITY[method])
    .filter((name) => !isObject(declared[name]))
  if (missing.length > 0) {
    throw new Fault('missing_capability', `This needs a client that declares ${missing.join(', ')}.`,
      { requiredCapabilities: Object.fromEntries(missing.map((name) => [name, {}])) })
  }
}

/** Whether a value has the shape of a response to a request of this method. Narrows it to an object. */
export const isInputResponse = (method: string, value: unknown): value is Record<string, unknown> => {
  if (!isObject(value)) return false
  switch (method) {
    case 'elicitation/create':
      return value['action'] === 'accept'
        ? isObject(value['content'])
        : value['action'] === 'decline' || value['action'] === 'cancel'
    case 'roots/list': return Array.isArray(value['roots'])
    default: return 'content' in value && typeof value['role'] === 'string'
  }
}
