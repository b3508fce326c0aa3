/** Which era a message belongs to: decided once, from its metadata and its version header, never from its method. */
import { isObject } from '../jsonrpc/parse.js'
import type { Message } from '../jsonrpc/message.js'
import { headerOf, type Era, type Headers } from './era.js'
import { isModernRevision } from '../revisions.js'

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

// 2026-07-28 basic/versioning#backward-compatibility-with-initialization-based-versions
export const classify = (message: Message, headers: Headers): Era['name'] => {
  const meta = message.kind === 'response' ? undefined : message.params['_meta']
  return isObject(meta) && VERSION_KEY in meta ? 'modern' : classifyHeaders(headers)
}

/** The same from the headers alone, for a message that could not be read. */
export const classifyHeaders = (headers: Headers): Era['name'] =>
  isModernRevision(headerOf(headers, 'mcp-protocol-version')) ? 'modern' : 'legacy'
