/** Checks the form of credentials that come from outside: from a server, a file, the environment. */
import { Refusal } from '../../lib/errors.js'
import type { StaticCredentialKind } from '../../lib/principal.js'
import { parseTokenKind } from './secret.js'

/** The kind of a well-formed credential, which has no character that a shell, a file or an agent would interpret. */
export const kindOf = (text: unknown): StaticCredentialKind | undefined => {
  const form = typeof text === 'string' ? parseTokenKind(text) : 'malformed'
  return form === 'malformed' || form === 'mistyped' ? undefined : form
}

/** @throws {Refusal} for a text that is no credential, without the text; `what` is where it came from */
export const requireCredential = (text: string, what: string): string => {
  if (kindOf(text) !== undefined) return text
  throw new Refusal(parseTokenKind(text) === 'mistyped'
    ? `${what} begins like a credential but is none: it was cut or mistyped. ` +
      'Copy the whole of it again; it was not sent anywhere.'
    : `${what} is no credential of this server: those start with svc_key_ or svc_pat_. It was not sent anywhere.`)
}
