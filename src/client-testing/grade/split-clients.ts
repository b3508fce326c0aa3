/** Tells apart clients that came with the same credential: by the name and version that they declare. */
import { asObject, isObject } from '../../lib/json/json-object.js'
import { metaOf, paramsOf, type Exchange } from '../proxy/exchange.js'

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo'

/**
 * Returns the exchanges of each client. Requests of a session belong to who opened it. An exchange that names no one
 * belongs to the only client there is; where there are several, such exchanges are a group of their own.
 */
export const splitByClient = (exchanges: readonly Exchange[]): Exchange[][] => {
  const sessions = new Map<string, string>()
  const groups = new Map<string, Exchange[]>()
  const withoutName: Exchange[] = []
  for (const exchange of exchanges) {
    const session = exchange.headers['mcp-session-id']
    const clientName = declaredName(exchange)
    const newSession = exchange.replyHeaders['mcp-session-id']
    if (clientName !== undefined && newSession !== undefined) sessions.set(String(newSession), clientName)
    const name = clientName ?? sessions.get(String(session))
    const group = name === undefined ? withoutName : groups.get(name) ?? []
    if (name !== undefined) groups.set(name, group)
    group.push(exchange)
  }
  if (withoutName.length === 0) return [...groups.values()]
  return groups.size === 1 ? [[...exchanges]] : [...groups.values(), withoutName]
}

/** The name and version in the metadata of a modern request, or in `initialize`. */
const declaredName = ({ call }: Exchange): string | undefined => {
  const ofRequest = metaOf(call)[CLIENT_INFO]
  const { name, version } = asObject(isObject(ofRequest) ? ofRequest : paramsOf(call)['clientInfo'])
  return typeof name === 'string' ? JSON.stringify([name, version]) : undefined
}
