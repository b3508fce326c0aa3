/** The modern era: each request stands alone and carries its own metadata. 2026-07-28 basic/index#statelessness */
import type { Era, HttpExchange, AdmittedRequest } from '../era.js'
import { Fault } from '../../../lib/errors.js'
import type { ServerFeatures } from '../../methods/method.js'
import { headerOf, requireMethod } from '../era.js'
import { isModernRevision, type ModernRevision } from '../../revisions.js'
import { isObject } from '../../../lib/json/json-object.js'
import { createInputRequester } from './input-required.js'
import { checkHeaders } from './check-headers.js'
import { namedVersion, readEnvelope } from './envelope.js'
import type { RequestStateCodec } from './request-state.js'

const SERVER_KEY = 'io.modelcontextprotocol/serverInfo'

/** `headerValidation`: whether a header that disagrees with the body refuses the request, or is reported. */
export const modernEra = (
  features: ServerFeatures, states: RequestStateCodec, headerValidation: 'strict' | 'report' = 'strict'
): Era => {
  const { server, supportedVersions } = features
  const { icons, ...brief } = server
  const identity = { [SERVER_KEY]: brief }

  function requireSupported (requested: string): asserts requested is ModernRevision {
    if (!isModernRevision(requested) || !supportedVersions.includes(requested)) {
      throw new Fault(
        'unsupported_version',
        `Protocol version ${JSON.stringify(requested.slice(0, 64))} is not supported here.`,
        { supported: supportedVersions, requested }
      )
    }
  }

  const check = (mismatches: string[], work: () => void): void => {
    try {
      work()
    } catch (error) {
      const isMismatch = error instanceof Fault && error.kind === 'header_mismatch'
      if (headerValidation === 'strict' || !isMismatch) throw error
      mismatches.push(error.message)
    }
  }

  /** Returns the version in the header of a message whose metadata names none. */
  const requireHeader = (header: string | undefined): ModernRevision => {
    if (header === undefined) {
      // A message of an older client is judged here when no revision with a handshake is served.
      throw new Fault(
        'header_mismatch',
        `The MCP-Protocol-Version header is missing. This server speaks ${supportedVersions.join(', ')}.`,
        { supported: supportedVersions }
      )
    }
    requireSupported(header)
    return header
  }

  return {
    name: 'modern',

    async admit (request, { headers }: HttpExchange, named): Promise<AdmittedRequest> {
      const header = headerOf(headers, 'mcp-protocol-version')
      const version = namedVersion(request.params) ?? requireHeader(header)
      const { client, progressToken, logLevel } = readEnvelope(request.params)
      const mismatches: string[] = []
      check(mismatches, () => requireSameVersion(header, version))
      requireSupported(version)
      const method = requireMethod(named, 'modern', request.method, version)
      check(mismatches, () => checkHeaders(request, method, headers, features.tools))
      return {
        method,
        revision: version,
        client,
        progressToken,
        logLevel,
        headers: mismatches.length > 0 ? { [MISMATCH_HEADER]: printable(mismatches.join(' ')) } : undefined,
        // 2026-07-28 basic/patterns/subscriptions#receiving-notifications
        notificationMeta: method.alwaysStreams
          ? { 'io.modelcontextprotocol/subscriptionId': request.id }
          : undefined
      }
    },

    // 2026-07-28 basic/transports/streamable-http#sending-messages: clients send no responses
    async accept (message, { headers }) {
      if (message.kind === 'response') {
        throw new Fault('invalid_request', 'A client sends requests and notifications, never responses.')
      }
      const header = headerOf(headers, 'mcp-protocol-version')
      const version = namedVersion(message.params) ?? requireHeader(header)
      check([], () => requireSameVersion(header, version))
      requireSupported(version)
    },

    task: (task) => ({ resultType: 'task', ...task, _meta: identity }),

    inputRequester: (request, envelope, exchange) =>
      createInputRequester(states, identity, request, envelope, exchange),

    // By assignment: with results of several shapes, spread takes longer.
    result ({ result, cache, introduces }, { notificationMeta }) {
      const framed: Record<string, unknown> = Object.assign({ resultType: 'complete' }, result)
      if (cache) Object.assign(framed, { ttlMs: cache.ttlMs, cacheScope: cache.scope })
      const { _meta: meta } = result
      if (introduces) return Object.assign(framed, { _meta: { [SERVER_KEY]: server } })
      framed['_meta'] = notificationMeta || isObject(meta)
        ? { ...(isObject(meta) && meta), ...identity, ...notificationMeta }
        : identity
      return framed
    }
  }
}

/** The reply header that lists mismatched headers of a request that was served all the same. */
export const MISMATCH_HEADER = 'mcp-header-mismatch'

/** Bounds a text and replaces what a header value may not contain: it comes from the request. */
const printable = (text: string): string => text.slice(0, 500).replaceAll(/[^\x20-\x7e]/g, '?')

// 2026-07-28 basic/transports/streamable-http#protocol-version-header
const requireSameVersion = (header: string | undefined, version: string): void => {
  if (header === version) return
  const inMeta = JSON.stringify(version)
  throw new Fault('header_mismatch', header === undefined
    ? `The MCP-Protocol-Version header is missing: send it with the value of _meta, ${inMeta}.`
    : 'The MCP-Protocol-Version header and the protocol version in _meta differ: ' +
      `${JSON.stringify(header)} and ${inMeta}.`)
}
