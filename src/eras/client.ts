/** What a client says of itself: declared, never verified, and bounded. */
import type { Client } from '../call.js'
import { isObject } from '../rpc/parse.js'

const MAX_LENGTH = 100

export const clientNamed = (info: unknown, capabilities: Readonly<Record<string, unknown>>): Client => {
  const { name, version } = isObject(info) ? info : {}
  return {
    ...(typeof name === 'string' && { name: name.slice(0, MAX_LENGTH) }),
    ...(typeof version === 'string' && { version: version.slice(0, MAX_LENGTH) }),
    capabilities
  }
}
