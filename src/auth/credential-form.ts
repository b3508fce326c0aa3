/** The one form that a credential has, for whoever takes one from elsewhere: a server, a file, the environment. */
import { Refusal } from '../lib/errors.js'
import type { CredentialKind } from '../lib/principal.js'
import { parseTokenKind } from './secret.js'

/** Undefined for a text that is no credential. It has then neither space nor sign that a shell, a file or an agent would interpret. */
export const kindOf = (text: unknown): CredentialKind | undefined => {
  const form = typeof text === 'string' ? parseTokenKind(text) : 'malformed'
  return form === 'malformed' || form === 'mistyped' ? undefined : form
}

/**
 * The text itself, which is never part of the message.
 * @param what says where it came from, as the subject of a sentence
 * @throws {Refusal} for a text that is no credential
 */
export const requireCredential = (text: string, what: string): string => {
  if (kindOf(text) !== undefined) return text
  throw new Refusal(parseTokenKind(text) === 'mistyped'
    ? `${what} begins like a credential but is none: it was cut or mistyped. Copy the whole of it again; it was not sent anywhere.`
    : `${what} is no credential of this server: those start with svc_key_ or svc_pat_. It was not sent anywhere.`)
}
