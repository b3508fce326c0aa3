/** Connected applications: consent to a request of an OAuth client, and the connections that came of it. */
import createdClient from '#schemas/administration/created_client.json' with { type: 'json' }
import newClient from '#schemas/administration/new_client.json' with { type: 'json' }
import oauthClient from '#schemas/administration/oauth_client.json' with { type: 'json' }
import oauthClients from '#schemas/administration/oauth_clients.json' with { type: 'json' }
import connection from '#schemas/administration/connection.json' with { type: 'json' }
import allConnections from '#schemas/administration/connections.json' with { type: 'json' }
import userQuery from '#schemas/administration/user_query.json' with { type: 'json' }
import connectionChange from '#schemas/web/connection_change.json' with { type: 'json' }
import connectionScope from '#schemas/web/connection_scope.json' with { type: 'json' }
import connections from '#schemas/web/connections.json' with { type: 'json' }
import connectionsQuery from '#schemas/web/connections_query.json' with { type: 'json' }
import credentialPath from '#schemas/web/credential_path.json' with { type: 'json' }
import disconnected from '#schemas/web/disconnected.json' with { type: 'json' }
import consent from '#schemas/web/oauth_consent.json' with { type: 'json' }
import consentAnswer from '#schemas/web/oauth_consent_answer.json' with { type: 'json' }
import consentError from '#schemas/web/oauth_consent_error.json' with { type: 'json' }
import consentLookup from '#schemas/web/oauth_consent_lookup.json' with { type: 'json' }
import consentRequest from '#schemas/web/oauth_consent_request.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { OPERATOR, OWN, OWN_OR_ALL } from '../permission.js'

export const oauthOperations = tagged('oauth', {
  'POST /oauth/consent/lookup': row('getConsentRequest', 'What an application asks for', OWN,
    { body: consentLookup, response: consentRequest }),
  'POST /oauth/consent/error': row('getConsentError', 'What is wrong with the request of an application', OWN,
    { body: consentLookup, response: consentError }),
  'POST /oauth/consent': row('decideConsent', 'Allow or deny what an application asks for', OWN,
    { body: consent, response: consentAnswer }),
  'GET /connections': row('listConnections', 'Connected applications', OWN_OR_ALL,
    { query: connectionsQuery, response: connections }),
  'PATCH /connections/:id': row('changeConnection', 'Let an application of one\'s own write, or only read', OWN,
    { params: credentialPath, body: connectionChange, response: connectionScope }),
  'DELETE /connections/:id': row('disconnect', 'End the connection of an application', OWN_OR_ALL,
    { params: credentialPath, response: disconnected }),
  'GET /admin/connections': row('listAllConnections',
    'Connections in force with their clients, newest first, 1,000 at most', OPERATOR,
    { query: userQuery, response: allConnections }),
  'DELETE /admin/connections/:id': row('revokeConnection', 'End a connection', OPERATOR,
    { params: credentialPath, response: connection }),
  'POST /oauth-clients': row('createOAuthClient', 'Register an OAuth client', OPERATOR,
    { audit: ['oauth-client/created'], body: newClient, response: createdClient, status: 201 }),
  'GET /oauth-clients': row('listOAuthClients', 'OAuth clients in force', OPERATOR, { response: oauthClients }),
  'DELETE /oauth-clients/:id': row('revokeOAuthClient', 'Revoke an OAuth client and its connections', OPERATOR,
    { audit: ['oauth-client/revoked'], params: credentialPath, response: oauthClient })
})
