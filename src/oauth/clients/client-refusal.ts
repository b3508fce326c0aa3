/** Texts about clients: why one cannot be connected, and what it writes about itself, made fit to be shown. */
import { escapeInvisible } from '../../lib/text/invisible.js'
import { AuthorizationError } from '../authorize/authorization-error.js'

/** Only a page may say so: nothing is sent to a client that is not known. */
export class ClientRefusal extends AuthorizationError {
  constructor (code: 'invalid_client' | 'unauthorized_client', message: string) { super(code, message, 'page') }
}

export const MAX_NAME_LENGTH = 100
const MAX_URI_LENGTH = 500

/** Returns a name on one line, with invisible and direction characters escaped, at most 100 characters. */
export const sanitizeName = (name: string): string =>
  escapeInvisible(name.replaceAll(/\s+/g, ' ').trim()).slice(0, MAX_NAME_LENGTH)

/** Returns an https address of a page; null for anything else. */
export const sanitizeUri = (uri: unknown): string | null =>
  typeof uri === 'string' && uri.length <= MAX_URI_LENGTH && /^https:\/\/[\x21-\x7e]+$/.test(uri) && URL.canParse(uri)
    ? uri
    : null
