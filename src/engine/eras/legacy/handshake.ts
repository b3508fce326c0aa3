/** The handshake of the legacy era: 2025-11-25 basic/lifecycle#initialization. */
import { Fault, requireParams } from '../../../lib/errors.js'
import { isObject } from '../../../lib/json/json-object.js'
import type { Params } from '../../jsonrpc/message.js'
import type { LegacyRevision } from '../../revisions.js'
import { parseClientInfo } from '../../client-info.js'
import { headerOf, type Headers } from '../era.js'
import type { Session } from './session.js'

/** The revision that is asked for, else the latest served: 2025-11-25 basic/lifecycle#version-negotiation */
export const negotiate = (
  { protocolVersion, capabilities, clientInfo }: Params, served: readonly LegacyRevision[]
): Pick<Session, 'revision' | 'client'> => {
  requireParams(typeof protocolVersion === 'string', '"params.protocolVersion" is a string.')
  requireParams(isObject(capabilities), '"params.capabilities" is an object.')
  requireParams(isObject(clientInfo), '"params.clientInfo" is an object with "name" and "version".')
  const revision = served.find((version) => version === protocolVersion) ?? served.at(-1)
  if (!revision) {
    throw new Fault(
      'unsupported_version',
      'This server has no revision with a handshake. Send each request with its metadata, as of 2026-07-28.',
      { supported: [], requested: protocolVersion.slice(0, 64) }
    )
  }
  return { revision, client: parseClientInfo(clientInfo, capabilities) }
}

/** Reads the header MCP-Protocol-Version. 2025-11-25 basic/transports#protocol-version-header */
export const headerRevision = (headers: Headers, served: readonly LegacyRevision[]): LegacyRevision | undefined => {
  const version = headerOf(headers, 'mcp-protocol-version')
  if (version === undefined) return undefined
  const revision = served.find((revision) => revision === version)
  if (revision) return revision
  throw new Fault('unsupported_version', `The MCP-Protocol-Version header is none of ${served.join(', ')}.`,
    { supported: served, requested: version.slice(0, 64) })
}
