/** Calls the server with a credential: whose it is, and its revocation (RFC 7009). */
import { kindOf } from '../../access/credentials/credential-form.js'
import { asObject, parseObject } from '../../lib/json/json-object.js'
import { Refusal } from '../../lib/errors.js'
import type { StoredToken } from './credentials-file.js'
import { httpRequest, form } from './http-client.js'
import { idIn, shownText, timeIn } from '../server-text.js'

/** The address of the management API, beside that of the MCP endpoint. */
export const apiUrl = (endpoint: URL, path: string): URL => new URL(`api/v1/${path}`, endpoint.href.replace(/\/+$/, ''))

export async function inspectToken (endpoint: URL, token: string): Promise<StoredToken | { refused: string }> {
  const answer = await httpRequest(apiUrl(endpoint, 'token'), {
    method: 'GET', headers: { authorization: `Bearer ${token}`, accept: 'application/json' }
  })
  const body = parseObject(answer.text) ?? {}
  if (answer.status === 401) {
    return { refused: shownText(body['error_description'], 1000) ?? 'The server does not know it.' }
  }
  const { email } = asObject(body['user'])
  const [id, expires] = [idIn(body['id']), timeIn(body['expires_at'])]
  const kind = kindOf(token)
  const isAnswer = answer.status === 200 && isEmail(email) && kind !== undefined && kind === body['kind']
  if (!isAnswer || id === undefined || expires === undefined) {
    throw new Refusal(`${endpoint.href} does not answer like an exploration-mcp server (HTTP ${answer.status}): ` +
      'check the URL.')
  }
  return { token, id, kind, expires_at: expires, user: email }
}

const isEmail = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 320 && /^[^\s\p{Cc}\p{Cf}]+$/u.test(value)

/** Revokes the token; no error when it was revoked before. */
export async function revoke (endpoint: URL, token: string): Promise<void> {
  const answer = await httpRequest(apiUrl(endpoint, 'revoke'), { method: 'POST', ...form({ token }) })
  if (answer.status !== 200) throw new Refusal(`The server did not revoke the token (HTTP ${answer.status}).`)
}
