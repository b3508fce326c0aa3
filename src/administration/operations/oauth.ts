/** Connected applications: consent to a request of an OAuth client, and the connections that came of it. */
import shapes from '#schemas/operations/oauth.json' with { type: 'json' }
import paths from '#schemas/operations/paths.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { OPERATOR, OWN, OWN_OR_ALL } from '../permission.js'

export const oauthOperations = tagged('oauth', {
  'POST /oauth/consent/lookup': row('getConsentRequest', 'What an application asks for', OWN,
    { body: shapes.consentLookup, response: shapes.consentRequest }),
  'POST /oauth/consent/error': row('getConsentError', 'What is wrong with the request of an application', OWN,
    { body: shapes.consentLookup, response: shapes.consentError }),
  'POST /oauth/consent': row('decideConsent', 'Allow or deny what an application asks for', OWN,
    { body: shapes.consent, response: shapes.consentAnswer }),
  'GET /connections': row('listConnections', 'Connected applications', OWN_OR_ALL,
    { query: shapes.connectionsQuery, response: shapes.connections }),
  'PATCH /connections/:id': row('changeConnection', 'Let an application of one\'s own write, or only read', OWN,
    { params: paths.credential, body: shapes.connectionChange, response: shapes.connectionScope }),
  'DELETE /connections/:id': row('disconnect', 'End the connection of an application', OWN_OR_ALL,
    { params: paths.credential, response: shapes.disconnected }),
  'GET /admin/connections': row('listAllConnections',
    'Connections in force with their clients, newest first, 1,000 at most', OPERATOR,
    { query: shapes.userQuery, response: shapes.allConnections }),
  'DELETE /admin/connections/:id': row('revokeConnection', 'End a connection', OPERATOR,
    { params: paths.credential, response: shapes.connection }),
  'POST /oauth-clients': row('createOAuthClient', 'Register an OAuth client', OPERATOR,
    { audit: ['oauth-client/created'], body: shapes.newClient, response: shapes.createdClient, status: 201 }),
  'GET /oauth-clients': row('listOAuthClients', 'OAuth clients in force', OPERATOR, { response: shapes.oauthClients }),
  'DELETE /oauth-clients/:id': row('revokeOAuthClient', 'Revoke an OAuth client and its connections', OPERATOR,
    { audit: ['oauth-client/revoked'], params: paths.credential, response: shapes.oauthClient })
})
