/** Finds the client of a request. Only called for someone who is signed in, as it may fetch an address of theirs. */
import type { OAuthClient } from '../../access/oauth/oauth-clients.js'
import type { OAuthClients } from '../../db/oauth/sql-oauth-clients.js'
import { ClientRefusal } from '../authorize/authorization-error.js'
import type { FetchDocument } from './fetch-document.js'
import type { AdmitsClient } from './host-rules.js'
import { isDocumentAddress, parseDocument } from './client-metadata.js'
import { pinnedDocument } from './pinned-documents.js'

export interface ClientResolverDeps {
  clients: Pick<OAuthClients, 'find' | 'findDocument' | 'saveDocument'>
  admits: AdmitsClient
  fetchDocument: FetchDocument
}

/** Creates the function. @throws {ClientRefusal} for a client that is unknown, not admitted, or without its document */
export const createClientResolver = (
  { clients, admits, fetchDocument }: ClientResolverDeps
): ((clientId: string) => Promise<OAuthClient>) => {
  const pendingFetches = new Map<string, Promise<OAuthClient>>()

  const findByDocument = async (clientId: string): Promise<OAuthClient> => {
    const cached = await clients.findDocument(clientId)
    if (cached?.fresh) return parseDocument(clientId, cached.document)
    const fetched = await fetchDocument(clientId)
    if (fetched.kind === 'document') {
      const client = parseDocument(clientId, fetched.document)
      await clients.saveDocument(clientId, fetched.document, fetched.freshSeconds)
      return client
    }
    const copy = fetched.kind === 'unavailable' ? cached?.document ?? pinnedDocument(clientId) : undefined
    if (copy !== undefined) return parseDocument(clientId, copy)
    throw new ClientRefusal(
      'invalid_client', `The document about the application at ${clientId} cannot be read: ${fetched.reason}.`)
  }

  /** Requests that need one document at the same time share its fetch. */
  const findOnce = (clientId: string): Promise<OAuthClient> => {
    const running = pendingFetches.get(clientId)
    if (running) return running
    const request = findByDocument(clientId).finally(() => pendingFetches.delete(clientId))
    pendingFetches.set(clientId, request)
    return request
  }

  return async (clientId) => {
    const host = isDocumentAddress(clientId) ? new URL(clientId).hostname : null
    // The rules are asked before a document is fetched.
    if (host !== null && !admits({ kind: 'document', host, redirectUris: [] })) throw notAdmitted()
    const client = host === null ? await clients.find(clientId) : await findOnce(clientId)
    if (!client) {
      throw new ClientRefusal('invalid_client', 'The application is not known here: it is to register again.')
    }
    if (!admits(client)) throw notAdmitted()
    return client
  }
}

const notAdmitted = (): ClientRefusal =>
  new ClientRefusal('unauthorized_client', 'The operator of this server does not admit this application.')
