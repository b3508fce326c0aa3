/** Decides which era a message belongs to, from its metadata and its version header, never from its method. */
import { isObject } from '../../lib/json/json-object.js'
import type { Message } from '../jsonrpc/message.js'
import { headerOf, type Era, type Headers } from './era.js'
import { isModernRevision } from '../revisions.js'

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/**
 * Returns `modern` when `params._meta` names a protocol version, and otherwise the era of the headers.
 * 2026-07-28 basic/versioning#backward-compatibility-with-initialization-based-versions
 */
export const classify = (message: Message, headerEra: Era['name']): Era['name'] => {
  const meta = message.kind === 'response' ? undefined : message.params['_meta']
  return isObject(meta) && VERSION_KEY in meta ? 'modern' : headerEra
}

export const classifyHeaders = (headers: Headers): Era['name'] =>
  isModernRevision(headerOf(headers, 'mcp-protocol-version')) ? 'modern' : 'legacy'
