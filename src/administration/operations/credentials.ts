/** API keys and personal access tokens. */
import shapes from '#schemas/operations/credentials.json' with { type: 'json' }
import paths from '#schemas/operations/paths.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { CREDENTIALS, CREDENTIALS_OR_OPERATOR, OWN, OWN_OR_OPERATOR } from '../permission.js'

export const credentialsOperations = tagged('credentials', {
  'GET /keys': row('listKeys', 'API keys', CREDENTIALS, { query: shapes.credentialsQuery, response: shapes.keys }),
  'POST /keys': row('createKey', 'Create an API key', OWN_OR_OPERATOR,
    { body: shapes.newKey, response: shapes.createdCredential, status: 201 }),
  'POST /keys/:id/rotation': row('rotateKey', 'A new secret beside the old one', OWN,
    { params: paths.credential, response: shapes.createdCredential, status: 201 }),
  'POST /keys/test': row('testKey', 'Try a key with a real handshake', OWN,
    { body: shapes.credentialTest, response: shapes.credentialTestResult }),
  'DELETE /keys/:id': row('revokeKey', 'Revoke an API key', CREDENTIALS_OR_OPERATOR,
    { params: paths.credential, response: shapes.credential }),
  'GET /tokens': row('listTokens', 'Personal access tokens', CREDENTIALS,
    { query: shapes.credentialsQuery, response: shapes.tokens }),
  'POST /tokens': row('createToken', 'Create a personal access token', OWN_OR_OPERATOR,
    { body: shapes.newToken, response: shapes.createdCredential, status: 201 }),
  'POST /tokens/:id/rotation': row('rotateToken', 'A new secret beside the old one', OWN,
    { params: paths.credential, response: shapes.createdCredential, status: 201 }),
  'POST /tokens/test': row('testToken', 'Try a token with a real handshake', OWN,
    { body: shapes.credentialTest, response: shapes.credentialTestResult }),
  'DELETE /tokens/:id': row('revokeToken', 'Revoke a personal access token', CREDENTIALS_OR_OPERATOR,
    { params: paths.credential, response: shapes.credential })
})
