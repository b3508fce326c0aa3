/** API keys and personal access tokens. */
import createdCredential from '#schemas/web/created_credential.json' with { type: 'json' }
import credential from '#schemas/web/credential.json' with { type: 'json' }
import credentialPath from '#schemas/web/credential_path.json' with { type: 'json' }
import credentialTest from '#schemas/web/credential_test.json' with { type: 'json' }
import credentialTestResult from '#schemas/web/credential_test_result.json' with { type: 'json' }
import credentialsQuery from '#schemas/web/credentials_query.json' with { type: 'json' }
import keys from '#schemas/web/keys.json' with { type: 'json' }
import newKey from '#schemas/web/new_key.json' with { type: 'json' }
import newToken from '#schemas/web/new_token.json' with { type: 'json' }
import tokens from '#schemas/web/tokens.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { CREDENTIALS, CREDENTIALS_OR_OPERATOR, OWN, OWN_OR_OPERATOR } from '../permission.js'

export const credentialsOperations = tagged('credentials', {
  'GET /keys': row('listKeys', 'API keys', CREDENTIALS, { query: credentialsQuery, response: keys }),
  'POST /keys': row('createKey', 'Create an API key', OWN_OR_OPERATOR,
    { body: newKey, response: createdCredential, status: 201 }),
  'POST /keys/:id/rotation': row('rotateKey', 'A new secret beside the old one', OWN,
    { params: credentialPath, response: createdCredential, status: 201 }),
  'POST /keys/test': row('testKey', 'Try a key with a real handshake', OWN,
    { body: credentialTest, response: credentialTestResult }),
  'DELETE /keys/:id': row('revokeKey', 'Revoke an API key', CREDENTIALS_OR_OPERATOR,
    { params: credentialPath, response: credential }),
  'GET /tokens': row('listTokens', 'Personal access tokens', CREDENTIALS,
    { query: credentialsQuery, response: tokens }),
  'POST /tokens': row('createToken', 'Create a personal access token', OWN_OR_OPERATOR,
    { body: newToken, response: createdCredential, status: 201 }),
  'POST /tokens/:id/rotation': row('rotateToken', 'A new secret beside the old one', OWN,
    { params: credentialPath, response: createdCredential, status: 201 }),
  'POST /tokens/test': row('testToken', 'Try a token with a real handshake', OWN,
    { body: credentialTest, response: credentialTestResult }),
  'DELETE /tokens/:id': row('revokeToken', 'Revoke a personal access token', CREDENTIALS_OR_OPERATOR,
    { params: credentialPath, response: credential })
})
