/** Profiles: requests of the server, on the stream of a tool call or a list (2025-11-25 and before). */
import type { Profile } from './profile.js'
import { NAME_FORM, type RequestToClient } from './client-answers.js'
import { serverRequestProfile } from './server-request-profile.js'

const PING: RequestToClient = { method: 'ping', params: {} }
const SAMPLING: RequestToClient = {
  method: 'sampling/createMessage',
  capability: 'sampling',
  params: {
    messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
    maxTokens: 20
  }
}
const ROOTS: RequestToClient = { method: 'roots/list', capability: 'roots', params: {} }
const UNKNOWN: RequestToClient = { method: 'x/unknown', params: {} }

const profileForUndeclared = (request: RequestToClient, legacy: string): Profile =>
  serverRequestProfile({
    id: `${request.capability}-undeclared`,
    requests: [request],
    happens: `the server sends ${request.method} to a client that did not declare ${request.capability}`,
    expects: 'answer by an error, such as -32601',
    legacy,
    kind: 'illegal',
    level: 'SHOULD',
    mustDeclare: false,
    answer: 'error'
  })

const profileForDeclared = (id: string, requests: readonly RequestToClient[], legacy: string): Profile =>
  serverRequestProfile({
    id,
    requests,
    happens: `the server sends ${requests.map(({ method }) => method).join(' and ')} during a call`,
    expects: 'answer by a result that has the shape of its method, and fits the form',
    legacy
  })

export const serverRequests: readonly Profile[] = [
  serverRequestProfile({
    id: 'ping-during-call',
    requests: [PING],
    happens: 'the server sends ping while a request waits',
    expects: 'answer at once, by an empty result',
    legacy: 'basic/utilities/ping#behavior-requirements'
  }),
  serverRequestProfile({
    id: 'two-pings',
    requests: [PING, PING],
    happens: 'the server sends two requests at a time',
    expects: 'answer both',
    legacy: 'basic#responses'
  }),
  serverRequestProfile({
    id: 'request-unknown',
    requests: [UNKNOWN],
    happens: 'the server sends a request of an unknown method',
    expects: 'answer by the error -32601',
    legacy: 'basic#error-responses',
    answer: 'error'
  }),
  serverRequestProfile({
    id: 'ping-cancelled',
    requests: [PING],
    happens: 'the server sends ping and cancels it at once',
    expects: 'go on',
    legacy: 'basic/utilities/cancellation#behavior-requirements',
    cancelled: true
  }),
  profileForDeclared('sampling', [SAMPLING], 'client/sampling#creating-messages'),
  profileForDeclared('elicitation', [NAME_FORM], 'client/elicitation#elicitation-requests'),
  profileForDeclared('roots', [ROOTS], 'client/roots#listing-roots'),
  profileForDeclared('sampling-and-elicitation', [SAMPLING, NAME_FORM], 'client/sampling#creating-messages'),
  profileForUndeclared(SAMPLING, 'client/sampling#capabilities'),
  profileForUndeclared(NAME_FORM, 'client/elicitation#capabilities'),
  profileForUndeclared(ROOTS, 'client/roots#capabilities')
]
