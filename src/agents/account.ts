/** What the holder of a credential asks of a server: whose it is, and its end (RFC 7009). */
import { Refusal } from '../errors.js'
import { exchange, form, objectIn } from './exchange.js'

export interface Known {
  id: string
  kind: 'api_key' | 'personal_access_token'
  name: string
  user: string
  workspaces: number
  expires_at: string | null
}

/** The management API's address beside that of the endpoint. */
export const apiOf = (endpoint: URL, path: string): URL => new URL(`api/v1/${path}`, endpoint.href.replace(/\/+$/, ''))

/** Undefined when the server refuses it. A server of an older version does not say: the reason is one of a `Refusal`. */
export async function whoIs (endpoint: URL, token: string): Promise<Known | { refused: string }> {
  const answer = await exchange(apiOf(endpoint, 'token'), { method: 'GET', headers: { authorization: `Bearer ${token}`, accept: 'application/json' } })
  const said = objectIn(answer.text)
  if (answer.status === 401) return { refused: textOf(said['error_description']) ?? 'The server does not know it.' }
  const user = said['user']
  const email = typeof user === 'object' && user !== null && 'email' in user ? textOf(user.email) : undefined
  const kind = said['kind']
  if (answer.status !== 200 || email === undefined || (kind !== 'api_key' && kind !== 'personal_access_token')) {
    throw new Refusal(`${endpoint.href} does not answer like an exploration-mcp server (HTTP ${answer.status}): check the URL.`)
  }
  return {
    id: textOf(said['id']) ?? '',
    kind,
    name: textOf(said['name']) ?? '',
    user: email,
    workspaces: Number(said['workspaces']),
    expires_at: textOf(said['expires_at']) ?? null
  }
}

/** Ends it; no error when it had ended before. */
export async function revoke (endpoint: URL, token: string): Promise<void> {
  const answer = await exchange(apiOf(endpoint, 'revoke'), { method: 'POST', ...form({ token }) })
  if (answer.status !== 200) throw new Refusal(`The server did not revoke the token (HTTP ${answer.status}).`)
}

const textOf = (value: unknown): string | undefined => typeof value === 'string' ? value.slice(0, 1000) : undefined
