/** Reads the metadata that each modern request carries in `params._meta`: 2026-07-28 basic/index#meta. */
import { Fault } from '../../../lib/errors.js'
import { isObject } from '../../../lib/json/json-object.js'
import type { Params } from '../../jsonrpc/message.js'
import { VERSION_KEY } from '../classify.js'
import type { AdmittedRequest } from '../era.js'
import { parseClientInfo, parseProgressToken } from '../../client-info.js'
import { isLogLevel, LOG_LEVELS } from '../../log-level.js'

export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
export const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo'
export const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel'

/** Returns the protocol version that `params._meta` names. @throws {Fault} `invalid_params` when it is no string */
export const namedVersion = ({ _meta: meta }: Params): string | undefined => {
  if (!isObject(meta) || !(VERSION_KEY in meta)) return undefined
  const { [VERSION_KEY]: version } = meta
  if (typeof version !== 'string') throw incomplete(VERSION_KEY)
  return version
}

/** @throws {Fault} `invalid_params`, naming the missing or malformed key */
export const readEnvelope = (
  { _meta: meta }: Params
): Pick<AdmittedRequest, 'client' | 'progressToken' | 'logLevel'> => {
  if (!isObject(meta) || !(VERSION_KEY in meta)) throw incomplete(VERSION_KEY)
  const { [CAPABILITIES_KEY]: capabilities, [CLIENT_KEY]: client, [LOG_LEVEL_KEY]: logLevel } = meta
  if (!isObject(capabilities)) throw incomplete(CAPABILITIES_KEY)
  if (client !== undefined && !isObject(client)) {
    throw new Fault('invalid_params', `"params._meta["${CLIENT_KEY}"]" is an object.`)
  }
  if (logLevel !== undefined && !isLogLevel(logLevel)) {
    throw new Fault('invalid_params', `"params._meta["${LOG_LEVEL_KEY}"]" is one of ${LOG_LEVELS.join(', ')}.`)
  }
  return { client: parseClientInfo(client, capabilities), progressToken: parseProgressToken(meta), logLevel }
}

const incomplete = (key: string): Fault => {
  const type = key === VERSION_KEY ? 'a string' : 'an object'
  return new Fault('invalid_params', `Each request carries "params._meta" with "${key}" (${type}).`)
}
