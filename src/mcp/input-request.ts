/** What work may ask the client for, and what the two eras make of it: a request on the stream, or a result to be retried. */
import type { InputResponses, InputRequired } from './request-context.js'
import { Fault } from '../lib/errors.js'
import { isObject } from './jsonrpc/parse.js'

export type InputOutcome =
  /** The answers are there already. */
  | { kind: 'answered', responses: InputResponses }
  /** The request ends here, with this result, and comes back with the answers. */
  | { kind: 'ended', result: Record<string, unknown> }
  /** The questions go out once they are noted, which never rejects; the answers come in by other requests. */
  | { kind: 'asking', frames: string[], noted: Promise<void>, responses: Promise<InputResponses> }

export type RequestInput = (step: InputRequired) => InputOutcome

const CAPABILITY: Record<string, string> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots'
}

// 2026-07-28 basic/index#meta: a server relies on no capability that the client did not declare
export const requireCapabilities = ({ requests }: InputRequired, declared: Readonly<Record<string, unknown>>): void => {
  const missing = Object.values(requests).map(({ method }) => CAPABILITY[method]!).filter((name) => !isObject(declared[name]))
  if (missing.length > 0) {
    throw new Fault('missing_capability', `This needs a client that declares ${missing.join(', ')}.`,
      { requiredCapabilities: Object.fromEntries(missing.map((name) => [name, {}])) })
  }
}

/** Whether a value is an answer to a request of this method. */
export const isInputResponse = (method: string, value: unknown): value is Record<string, unknown> => {
  if (!isObject(value)) return false
  switch (method) {
    case 'elicitation/create': return value['action'] === 'accept' ? isObject(value['content']) : value['action'] === 'decline' || value['action'] === 'cancel'
    case 'roots/list': return Array.isArray(value['roots'])
    default: return 'content' in value && typeof value['role'] === 'string'
  }
}
