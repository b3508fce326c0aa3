/** What holds for a request of the modern era: its metadata, and the headers that mirror its body. */
import { decodeHeaderValue } from '../eras/modern/header-value.js'
import type { Request } from '../jsonrpc/message.js'
import { isObject } from '../jsonrpc/parse.js'
import type { Caller, Say } from './reporter.js'
import { checkRounds, type Rounds } from './pending-continuations.js'
import { nameOf, replyTo, type Seen } from './parsed-exchange.js'

const META = 'io.modelcontextprotocol/'
const TARGETS: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId'
}

export const checkModern = (rounds: Rounds, seen: Seen, caller: Caller, say: Say): void => {
  const old = ['mcp-session-id', 'last-event-id'].find((name) => seen.header(name) !== undefined)
  if (seen.method === 'GET' || seen.method === 'DELETE') say('legacy-mechanism', seen.method)
  else if (old !== undefined) say('legacy-mechanism', old)
  if (seen.isBatch) return say('batch-sent', `${seen.messages?.length} messages`)
  const message = seen.messages?.[0]?.parsed
  if (message?.kind === 'response') say('response-in-modern', 'a response')
  if (message?.kind === 'notification' && message.method === 'notifications/cancelled') say('cancelled-in-modern', message.method)
  if (message?.kind !== 'request' || message.method.startsWith('notifications/')) return
  checkMeta(seen, message, caller, say)
  checkRounds(rounds, seen, message, caller, say)
}

const checkMeta = (seen: Seen, request: Request, caller: Caller, say: Say): void => {
  const { _meta: meta = {} } = request.params
  const { [`${META}protocolVersion`]: version, [`${META}clientCapabilities`]: capabilities, [`${META}clientInfo`]: info } = isObject(meta) ? meta : {}
  if (typeof version !== 'string' || !isObject(capabilities)) say('meta-incomplete', request.method)
  else if (info === undefined) say('client-info-missing', request.method)
  const { error, result } = replyTo(seen, request.id)
  if (typeof version === 'string') checkVersion(seen, version, error?.['code'], caller, say)
  if (result && typeof version === 'string' && !caller.client.revisions.includes(version)) caller.client.revisions.push(version)
  if (error?.['code'] === -32021 && request.method.startsWith('tasks/')) say('capability-undeclared', request.method)
  const wrong = checkMirrors(seen, request, say) || seen.header('mcp-protocol-version') !== version
  const disagrees = error?.['code'] === -32020 || seen.replyHeaders['mcp-header-mismatch'] !== undefined
  // What is left of the headers when the others are right.
  if (disagrees && !wrong) say('mcp-param-wrong', String(request.params['name']))
}

const checkVersion = (seen: Seen, version: string, code: unknown, caller: Caller, say: Say): void => {
  const header = seen.header('mcp-protocol-version')
  if (header === undefined) say('protocol-version-missing', nameOf(seen))
  else if (header !== version) say('protocol-version-mismatch', `${header} beside ${version}`)
  if (code !== -32022) return
  // The first time is how a client finds out.
  const refused = version.slice(0, 64)
  if (caller.refusedVersions.has(refused)) say('version-not-negotiated', refused)
  if (caller.refusedVersions.size < 20) caller.refusedVersions.add(refused)
}

/** Whether a header is wrong. */
const checkMirrors = (seen: Seen, { method, params }: Request, say: Say): boolean => {
  const given = seen.header('mcp-method')
  if (given === undefined) say('mcp-method-missing', method)
  else if (given !== method) say('mcp-method-mismatch', `${given} for ${method}`)
  const target = TARGETS[method] === undefined ? undefined : params[TARGETS[method]]
  const raw = seen.header('mcp-name')
  const named = typeof target !== 'string' || (raw !== undefined && decodeHeaderValue(raw) === target)
  if (!named) say(raw === undefined ? 'mcp-name-missing' : 'mcp-name-mismatch', method)
  return given !== method || !named
}
