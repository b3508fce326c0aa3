/** What a client says of itself: declared, never verified, and bounded. */
import type { Client } from '../call.js'
import { isObject } from '../rpc/parse.js'

const MAX_LENGTH = 100

export const clientNamed = (info: unknown, capabilities: Readonly<Record<string, unknown>>): Client => {
  const client: Client = { capabilities }
  if (isObject(info)) {
    const { name, version } = info
    if (typeof name === 'string') client.name = name.slice(0, MAX_LENGTH)
    if (typeof version === 'string') client.version = version.slice(0, MAX_LENGTH)
  }
  return client
}
