/** What a client adds to its messages, by era: headers, and metadata of requests. */
import { CAPABILITIES_KEY, CLIENT_KEY, LOG_LEVEL_KEY } from '../eras/modern/envelope.js'
import { encodeHeaderValue } from '../eras/modern/header-value.js'
import { VERSION_KEY } from '../eras/classify.js'
import type { Params } from '../jsonrpc/message.js'
import { METHODS, targetOf } from '../methods/index.js'
import type { Revision } from '../revisions.js'

export const CLIENT_INFO = { name: 'test-client', version: '1.0.0' }

/** How the messages of a client are framed. */
export interface ClientFraming {
  headers (method: string, params: Params): Record<string, string>
  /** The `_meta` of a request. It asks for progress. */
  meta (id: number): Record<string, unknown>
  hasSession: boolean
}

/** Each request carries what the client is, and headers mirror it: 2026-07-28 basic/index#meta. */
export const modernFraming = (revision: Revision, capabilities: Params): ClientFraming => ({
  headers: (method, params) => {
    const definition = METHODS.find(({ name }) => name === method)
    const target = definition && targetOf(definition, params)
    return {
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof target === 'string' && { 'mcp-name': encodeHeaderValue(target) })
    }
  },
  meta: (id) => ({
    [VERSION_KEY]: revision,
    [CLIENT_KEY]: CLIENT_INFO,
    [CAPABILITIES_KEY]: capabilities,
    [LOG_LEVEL_KEY]: 'info',
    progressToken: id
  }),
  hasSession: false
})

/** The handshake, which comes before a revision is agreed on, says what the client is; a session remembers it. */
export const legacyFraming = (revision?: Revision, session?: string): ClientFraming => ({
  headers: () => ({
    ...revision !== undefined && { 'mcp-protocol-version': revision },
    ...session !== undefined && { 'mcp-session-id': session }
  }),
  meta: (id) => ({ progressToken: id }),
  hasSession: session !== undefined
})
