/** What a client says of itself: declared, never verified, bounded, and without credentials. */
import type { ClientInfo } from './request-context.js'
import { isObject } from './jsonrpc/parse.js'
import { redactText } from '../lib/redact/redact.js'

const MAX_LENGTH = 100
/** Of what is looked at: a credential that the bound would cut is still found. */
const MAX_READ_LENGTH = 4096

export const parseClientInfo = (info: unknown, capabilities: Readonly<Record<string, unknown>>): ClientInfo => {
  const client: ClientInfo = { capabilities }
  if (isObject(info)) {
    const { name, version } = info
    if (typeof name === 'string') client.name = bounded(name)
    if (typeof version === 'string') client.version = bounded(version)
  }
  return client
}

const bounded = (text: string): string => redactText(text.slice(0, MAX_READ_LENGTH)).slice(0, MAX_LENGTH)
