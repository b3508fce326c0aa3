/** The end of tokens: what nothing uses any more is revoked at the server, and forgotten once it is. */
import { removeTokenFile, serverIn, tokenFileOf, type CredentialsFile } from './credentials-file.js'
import type { Issuer } from './issuer.js'
import type { Machine } from '../host.js'
import { Refusal } from '../../lib/errors.js'

export interface Retired {
  revoked: string[]
  /** Those that go on working, with the reason: to be tried again. */
  failed: Array<{ id: string, reason: string }>
}

/** Moves the tokens without a registration to those that are to end; one that is to be kept is only forgotten. */
export async function retireUnused (held: CredentialsFile, url: string, machine: Machine, keep?: string): Promise<void> {
  const server = serverIn(held.stored, url)
  for (const [name, token] of Object.entries(server.tokens)) {
    const users = server.registrations.filter((one) => one.token === name)
    if (users.every(({ registration }) => registration.secret === 'token')) await removeTokenFile(tokenFileOf(machine, url, name))
    if (users.length > 0) continue
    if (token.token !== keep) server.retired.push(token)
    delete server.tokens[name]
  }
  await held.save()
}

/** Safe to repeat: ending a token twice is no error. */
export async function endRetired (held: CredentialsFile, url: string, issuer: Pick<Issuer, 'revoke'>): Promise<Retired> {
  const server = serverIn(held.stored, url)
  const outcome: Retired = { revoked: [], failed: [] }
  for (const token of [...server.retired]) {
    try {
      if (Date.parse(token.expires_at ?? '9999-12-31') > Date.now()) await issuer.revoke(token)
      server.retired = server.retired.filter((one) => one !== token)
      outcome.revoked.push(token.id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      outcome.failed.push({ id: token.id, reason: error.message })
    }
  }
  await forgetEmpty(held, url)
  return outcome
}

export async function forgetEmpty (held: CredentialsFile, url: string): Promise<void> {
  const { tokens, next, retired, registrations } = serverIn(held.stored, url)
  if ([tokens, next, retired, registrations].every((part) => Object.keys(part).length === 0)) delete held.stored.servers[url]
  await held.save()
}
