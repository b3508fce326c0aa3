/** Finds out which client calls the token or revocation endpoint (RFC 6749 section 2.3). Nothing is fetched here. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { OAuthError } from '../../access/oauth/oauth-error.js'
import type { OAuthClients } from '../../db/oauth/sql-oauth-clients.js'
import { isDocumentAddress } from '../clients/client-metadata.js'

interface ClientCredentials { id: string, secret: string | undefined }

/**
 * Returns the id of the client. A client with a secret has to show it; one with a document is known by its id alone,
 * since the code or token that it shows is bound to that.
 * @throws {OAuthError} `invalid_client` (401) or `invalid_request`
 */
export const authenticateClient = async (
  clients: Pick<OAuthClients, 'find' | 'hasSecret'>, request: FastifyRequest, reply: FastifyReply,
  parameter: (name: string) => string | undefined
): Promise<string> => {
  const { authorization } = request.headers
  const byHeader = authorization === undefined ? undefined : basicCredentials(authorization, reply)
  const [id, secret] = [parameter('client_id'), parameter('client_secret')]
  if (byHeader && (secret !== undefined || (id !== undefined && id !== byHeader.id))) {
    throw new OAuthError('invalid_request', 'Show the client in the Authorization header or in the form, not in both.')
  }
  const presented: ClientCredentials | undefined = byHeader ?? (id === undefined ? undefined : { id, secret })
  if (!presented) throw invalidClient(reply, authorization, 'client_id is required.')
  if (!await isAuthentic(clients, presented)) {
    throw invalidClient(reply, authorization, 'The client is unknown, or its secret is wrong, missing or not its own.')
  }
  return presented.id
}

const isAuthentic = async (
  clients: Pick<OAuthClients, 'find' | 'hasSecret'>, { id, secret }: ClientCredentials
): Promise<boolean> => {
  if (isDocumentAddress(id)) return secret === undefined
  const client = await clients.find(id)
  if (!client) return false
  return client.confidential ? secret !== undefined && await clients.hasSecret(id, secret) : secret === undefined
}

/** Name and secret are form-encoded before they are joined (RFC 6749 section 2.3.1). */
const basicCredentials = (authorization: string, reply: FastifyReply): ClientCredentials => {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]{1,8192})$/i.exec(authorization)?.[1]
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) {
    throw invalidClient(reply, authorization, 'The Authorization header is no Basic one with id and secret.')
  }
  const secret = formDecoded(text.slice(colon + 1))
  return { id: formDecoded(text.slice(0, colon)), secret: secret === '' ? undefined : secret }
}

const formDecoded = (text: string): string =>
  new URLSearchParams(`value=${text.replaceAll('&', '%26')}`).get('value') ?? ''

const invalidClient = (reply: FastifyReply, authorization: string | undefined, message: string): OAuthError => {
  if (authorization !== undefined) reply.header('www-authenticate', 'Basic realm="exploration-mcp"')
  return new OAuthError('invalid_client', message, 401)
}
