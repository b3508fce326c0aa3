/** The rules for a request of the modern era: its metadata, and the headers that mirror its body. */
import { decodeHeaderValue } from '../eras/modern/header-value.js'
import { VERSION_KEY } from '../eras/classify.js'
import { CAPABILITIES_KEY, CLIENT_KEY } from '../eras/modern/envelope.js'
import type { Request } from '../jsonrpc/message.js'
import { isObject } from '../../lib/json/json-object.js'
import { METHODS, targetOf } from '../methods/index.js'
import { isInUse, type ObservedCaller, type ReportFinding } from './observed-state.js'
import { checkToken } from './request-checks.js'
import type { PendingContinuations } from './pending-continuations.js'
import { methodNameOf, replyTo, type ParsedExchange } from './parsed-exchange.js'

export const checkModern = (
  continuations: PendingContinuations, exchange: ParsedExchange, caller: ObservedCaller, report: ReportFinding
): void => {
  const old = ['mcp-session-id', 'last-event-id'].find((name) => exchange.header(name) !== undefined)
  if (exchange.method === 'GET' || exchange.method === 'DELETE') report('legacy-mechanism', exchange.method)
  else if (old !== undefined) report('legacy-mechanism', old)
  if (exchange.isBatch) return report('batch-sent', `${exchange.messages?.length} messages`)
  const message = exchange.messages?.[0]?.parsed
  if (message?.kind === 'response') report('response-in-modern', 'a response')
  if (message?.kind === 'notification' && message.method === 'notifications/cancelled') {
    report('cancelled-in-modern', message.method)
  }
  if (message?.kind !== 'request' || message.method.startsWith('notifications/')) return
  checkMeta(exchange, message, caller, report)
  continuations.check(exchange, message, caller, report)
}

/** Judges the id and the progress token of a request by those of requests that were unanswered when it arrived. */
export const checkInUse = (exchange: ParsedExchange, { ids, tokens }: ObservedCaller, report: ReportFinding): void => {
  const message = exchange.messages?.[0]?.parsed
  if (message?.kind !== 'request' || exchange.isBatch) return
  const { id, method } = message
  if (isInUse(ids, id, exchange)) report('id-in-use', `${method}, id ${JSON.stringify(id)}`)
  checkToken(tokens, message, exchange, report)
}

const checkMeta = (exchange: ParsedExchange, request: Request, caller: ObservedCaller, report: ReportFinding): void => {
  const { _meta: meta = {} } = request.params
  const { [VERSION_KEY]: version, [CAPABILITIES_KEY]: capabilities, [CLIENT_KEY]: info } = isObject(meta) ? meta : {}
  if (typeof version !== 'string' || !isObject(capabilities)) report('meta-incomplete', request.method)
  else if (info === undefined) report('client-info-missing', request.method)
  const { error, result } = replyTo(exchange, request.id)
  if (typeof version === 'string') checkVersion(exchange, version, error?.['code'], caller, report)
  if (result && typeof version === 'string' && !caller.client.revisions.includes(version)) {
    caller.client.revisions.push(version)
  }
  if (error?.['code'] === -32021 && request.method.startsWith('tasks/')) report('capability-undeclared', request.method)
  const wrong = checkMirroredHeaders(exchange, request, report) || exchange.header('mcp-protocol-version') !== version
  const disagrees = error?.['code'] === -32020 || exchange.replyHeaders['mcp-header-mismatch'] !== undefined
  // The other headers agree, so an Mcp-Param header must be the one that differs.
  if (disagrees && !wrong) report('mcp-param-wrong', String(request.params['name']))
}

const checkVersion = (
  exchange: ParsedExchange, version: string, code: unknown, caller: ObservedCaller, report: ReportFinding
): void => {
  const header = exchange.header('mcp-protocol-version')
  if (header === undefined) report('protocol-version-missing', methodNameOf(exchange))
  else if (header !== version) report('protocol-version-mismatch', `${header} beside ${version}`)
  if (code !== -32022) return
  // The first refusal is how a client learns the supported versions.
  const refused = version.slice(0, 64)
  if (caller.refusedVersions.has(refused)) report('version-not-negotiated', refused)
  if (caller.refusedVersions.size < 20) caller.refusedVersions.add(refused)
}

/** Reports wrong Mcp-Method and Mcp-Name headers. Returns whether one is wrong. */
const checkMirroredHeaders = (
  exchange: ParsedExchange, { method, params }: Request, report: ReportFinding
): boolean => {
  const header = exchange.header('mcp-method')
  if (header === undefined) report('mcp-method-missing', method)
  else if (header !== method) report('mcp-method-mismatch', `${header} for ${method}`)
  const definition = METHODS.find(({ name, modern }) => modern && name === method)
  const target = definition && targetOf(definition, params)
  const raw = exchange.header('mcp-name')
  const named = typeof target !== 'string' || (raw !== undefined && decodeHeaderValue(raw) === target)
  if (!named) report(raw === undefined ? 'mcp-name-missing' : 'mcp-name-mismatch', method)
  return header !== method || !named
}
