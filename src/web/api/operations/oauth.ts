/** Connected applications: consent to a request of an OAuth client, and the connections that came of it. */
import connections from '#schemas/web/connections.json' with { type: 'json' }
import connectionsQuery from '#schemas/web/connections_query.json' with { type: 'json' }
import credentialPath from '#schemas/web/credential_path.json' with { type: 'json' }
import disconnected from '#schemas/web/disconnected.json' with { type: 'json' }
import consent from '#schemas/web/oauth_consent.json' with { type: 'json' }
import consentAnswer from '#schemas/web/oauth_consent_answer.json' with { type: 'json' }
import consentError from '#schemas/web/oauth_consent_error.json' with { type: 'json' }
import consentLookup from '#schemas/web/oauth_consent_lookup.json' with { type: 'json' }
import consentRequest from '#schemas/web/oauth_consent_request.json' with { type: 'json' }
import type { OperationTable } from '../operation.js'

export const oauthOperations = {
  'POST /oauth/consent/lookup': {
    id: 'getConsentRequest',
    summary: 'What an application asks for',
    tag: 'oauth',
    body: consentLookup,
    response: consentRequest
  },
  'POST /oauth/consent/error': {
    id: 'getConsentError',
    summary: 'What is wrong with the request of an application',
    tag: 'oauth',
    body: consentLookup,
    response: consentError
  },
  'POST /oauth/consent': {
    id: 'decideConsent',
    summary: 'Allow or deny what an application asks for',
    tag: 'oauth',
    body: consent,
    response: consentAnswer
  },
  'GET /connections': {
    id: 'listConnections',
    summary: 'Connected applications',
    tag: 'oauth',
    query: connectionsQuery,
    response: connections
  },
  'DELETE /connections/:id': {
    id: 'disconnect',
    summary: 'End the connection of an application',
    tag: 'oauth',
    params: credentialPath,
    response: disconnected
  }
} as const satisfies OperationTable
