/** What a client declares about itself: not verified, bounded in length, and with credentials redacted. */
import type { ClientInfo } from './request-context.js'
import { isObject } from '../lib/json/json-object.js'
import { redactText } from '../lib/redact/redact.js'
import { cacheUnchanged } from '../lib/redact/cache-unchanged.js'
import { sanitizeText } from '../lib/text/text.js'

const MAX_LENGTH = 100
/** More characters are searched for credentials than are kept, so that one at the cut is still found. */
const MAX_READ_LENGTH = 4096

/** Reads `name` and `version` from a client's `clientInfo`; ignores whatever is not text. */
export const parseClientInfo = (info: unknown, capabilities: Readonly<Record<string, unknown>>): ClientInfo => {
  const client: ClientInfo = { capabilities }
  if (isObject(info)) {
    const { name, version } = info
    if (typeof name === 'string') client.name = bounded(name)
    if (typeof version === 'string') client.version = bounded(version)
  }
  return client
}

// A cut may leave half of a surrogate pair, which no database takes.
const bounded = cacheUnchanged((text) =>
  sanitizeText(redactText(text.slice(0, MAX_READ_LENGTH)).slice(0, MAX_LENGTH)))
