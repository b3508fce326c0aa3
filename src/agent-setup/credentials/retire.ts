/** Retires tokens: those that no entry uses are revoked at the server, and deleted once that is done. */
import { removeTokenFile, serverIn, tokenFileOf, type CredentialsFile } from './credentials-file.js'
import type { Issuer } from './issuer.js'
import type { Host } from '../file-system.js'
import { requireRefusal } from '../../lib/errors.js'

export interface Retired {
  revoked: string[]
  /** Tokens that still work, with the reason. They are tried again. */
  failed: Array<{ id: string, reason: string }>
}

/** Moves the tokens without a registration to the retired ones. The token `keep` is deleted without being revoked. */
export async function retireUnused (
  credentials: CredentialsFile, url: string, host: Host, keep?: string
): Promise<void> {
  const server = serverIn(credentials.stored, url)
  for (const [name, token] of Object.entries(server.tokens)) {
    const users = server.registrations.filter((one) => one.token === name)
    if (users.every(({ registration }) => registration.secret === 'token')) {
      await removeTokenFile(tokenFileOf(host, url, name))
    }
    if (users.length > 0) continue
    if (token.token !== keep) server.retired.push(token)
    delete server.tokens[name]
  }
  await credentials.save()
}

/** Revokes the retired tokens. It can be repeated: revoking a token twice is no error. */
export async function endRetired (
  credentials: CredentialsFile, url: string, issuer: Pick<Issuer, 'revoke'>
): Promise<Retired> {
  const server = serverIn(credentials.stored, url)
  const outcome: Retired = { revoked: [], failed: [] }
  for (const token of [...server.retired]) {
    try {
      if (Date.parse(token.expires_at ?? '9999-12-31') > Date.now()) await issuer.revoke(token)
      server.retired = server.retired.filter((one) => one !== token)
      outcome.revoked.push(token.id)
    } catch (error) {
      outcome.failed.push({ id: token.id, reason: requireRefusal(error).message })
    }
  }
  await forgetEmpty(credentials, url)
  return outcome
}

async function forgetEmpty (credentials: CredentialsFile, url: string): Promise<void> {
  const { tokens, next, retired, registrations } = serverIn(credentials.stored, url)
  const isEmpty = [tokens, next, retired, registrations].every((part) => Object.keys(part).length === 0)
  if (isEmpty) delete credentials.stored.servers[url]
  await credentials.save()
}
