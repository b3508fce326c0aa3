/** Checks the form of credentials that come from outside: from a server, a file, the environment. */
import { Refusal } from '../../lib/errors.js'
import type { StaticCredentialKind } from '../../lib/principal.js'
import { parseTokenKind } from './secret.js'

/**
 * Returns the kind of a well-formed credential, otherwise undefined. A well-formed credential has no character that a
 * shell, a file format or an agent would interpret.
 */
export const kindOf = (text: unknown): StaticCredentialKind | undefined => {
  const form = typeof text === 'string' ? parseTokenKind(text) : 'malformed'
  return form === 'malformed' || form === 'mistyped' ? undefined : form
}

/**
 * Returns the text when it is a well-formed credential.
 * @param what where the text came from, as the subject of a sentence
 * @throws {Refusal} when it is not; the message never contains the text
 */
export const requireCredential = (text: string, what: string): string => {
  if (kindOf(text) !== undefined) return text
  throw new Refusal(parseTokenKind(text) === 'mistyped'
    ? `${what} begins like a credential but is none: it was cut or mistyped. ` +
      'Copy the whole of it again; it was not sent anywhere.'
    : `${what} is no credential of this server: those start with svc_key_ or svc_pat_. It was not sent anywhere.`)
}
