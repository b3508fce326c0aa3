/** The legacy era: a handshake, then requests that name its session. 2025-11-25 basic/lifecycle */
import { Fault } from '../../errors.js'
import { isObject } from '../../rpc/parse.js'
import type { Params } from '../../rpc/message.js'
import { clientNamed } from '../client.js'
import { headerOf, type Era, type Exchange, type Headers, type Opened } from '../era.js'
import { progressTokenOf } from '../progress-token.js'
import { isLegacyRevision, LATEST_LEGACY, LEGACY_REVISIONS } from '../../revisions.js'
import { requireCapabilities } from '../input.js'
import { questions, type Questions } from './questions.js'
import type { Session, Sessions } from './session.js'

export interface LegacyEra extends Era {
  /** The session that a request names, or the `Fault` that says why there is none. */
  session (exchange: Pick<Exchange, 'headers' | 'principal'>): Promise<Session>
  /** Ends it: 2025-11-25 basic/transports#session-management. */
  end (exchange: Pick<Exchange, 'headers' | 'principal'>): Promise<void>
}

export const legacyEra = (sessions: Sessions, asked: Questions = questions()): LegacyEra => {
  const session: LegacyEra['session'] = async ({ headers, principal }) => {
    const id = headerOf(headers, 'mcp-session-id')
    if (id === undefined) {
      throw new Fault('session_required', 'Call initialize first, then send the Mcp-Session-Id header that it answers with every request.')
    }
    const found = await sessions.read(id, principal.credential.id)
    // 2025-11-25 basic/transports#session-management: 404, so that the client starts a new session
    if (!found) throw new Fault('session_not_found', 'This session is unknown or has ended. Call initialize again, without a session id.')
    requireKnownVersion(headers)
    return found
  }

  return {
    name: 'legacy',
    session,

    async open (request, exchange): Promise<Opened> {
      const progressToken = progressTokenOf(request.params['_meta'])
      if (request.method === 'initialize') {
        requireKnownVersion(exchange.headers)
        const { revision, client } = negotiate(request.params)
        const id = sessions.issue({ revision, client, credential: exchange.principal.credential.id })
        return { revision, client, progressToken, headers: { 'mcp-session-id': id } }
      }
      const { revision, client } = await session(exchange)
      return { revision, client, progressToken }
    },

    async accept (message, exchange) {
      await session(exchange)
      if (message.kind === 'response') asked.answer(headerOf(exchange.headers, 'mcp-session-id')!, message)
    },

    asker: (_request, { client }, { headers, whenGone }) => (step) => {
      requireCapabilities(step, client.capabilities)
      return asked.ask(headerOf(headers, 'mcp-session-id')!, step, whenGone)
    },

    async end (exchange) {
      await sessions.end(headerOf(exchange.headers, 'mcp-session-id')!, await session(exchange))
    },

    result: ({ result }) => result
  }
}

/** The version that the client asks for when it is a legacy one, else the latest: 2025-11-25 basic/lifecycle#version-negotiation. */
const negotiate = ({ protocolVersion, capabilities, clientInfo }: Params): Pick<Session, 'revision' | 'client'> => {
  if (typeof protocolVersion !== 'string') throw new Fault('invalid_params', '"params.protocolVersion" is a string.')
  if (!isObject(capabilities)) throw new Fault('invalid_params', '"params.capabilities" is an object.')
  if (!isObject(clientInfo)) throw new Fault('invalid_params', '"params.clientInfo" is an object with "name" and "version".')
  return {
    revision: isLegacyRevision(protocolVersion) ? protocolVersion : LATEST_LEGACY,
    client: clientNamed(clientInfo, capabilities)
  }
}

// 2025-11-25 basic/transports#protocol-version-header
const requireKnownVersion = (headers: Headers): void => {
  const version = headerOf(headers, 'mcp-protocol-version')
  if (version !== undefined && !isLegacyRevision(version)) {
    throw new Fault('unsupported_version', `The MCP-Protocol-Version header is none of ${LEGACY_REVISIONS.join(', ')}.`,
      { supported: LEGACY_REVISIONS, requested: version.slice(0, 64) })
  }
}
