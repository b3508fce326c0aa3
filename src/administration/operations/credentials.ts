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
import { tagged } from '../operation.js'
import { CREDENTIALS, CREDENTIALS_OR_OPERATOR, OWN, OWN_OR_OPERATOR } from '../permission.js'

export const credentialsOperations = tagged('credentials', {
  'GET /keys': {
    id: 'listKeys',
    summary: 'API keys',
    may: CREDENTIALS,
    query: credentialsQuery,
    response: keys
  },
  'POST /keys': {
    id: 'createKey',
    summary: 'Create an API key',
    may: OWN_OR_OPERATOR,
    body: newKey,
    response: createdCredential,
    status: 201
  },
  'POST /keys/:id/rotation': {
    id: 'rotateKey',
    summary: 'A new secret beside the old one',
    may: OWN,
    params: credentialPath,
    response: createdCredential,
    status: 201
  },
  'POST /keys/test': {
    id: 'testKey',
    summary: 'Try a key with a real handshake',
    may: OWN,
    body: credentialTest,
    response: credentialTestResult
  },
  'DELETE /keys/:id': {
    id: 'revokeKey',
    summary: 'Revoke an API key',
    may: CREDENTIALS_OR_OPERATOR,
    params: credentialPath,
    response: credential
  },
  'GET /tokens': {
    id: 'listTokens',
    summary: 'Personal access tokens',
    may: CREDENTIALS,
    query: credentialsQuery,
    response: tokens
  },
  'POST /tokens': {
    id: 'createToken',
    summary: 'Create a personal access token',
    may: OWN_OR_OPERATOR,
    body: newToken,
    response: createdCredential,
    status: 201
  },
  'POST /tokens/:id/rotation': {
    id: 'rotateToken',
    summary: 'A new secret beside the old one',
    may: OWN,
    params: credentialPath,
    response: createdCredential,
    status: 201
  },
  'POST /tokens/test': {
    id: 'testToken',
    summary: 'Try a token with a real handshake',
    may: OWN,
    body: credentialTest,
    response: credentialTestResult
  },
  'DELETE /tokens/:id': {
    id: 'revokeToken',
    summary: 'Revoke a personal access token',
    may: CREDENTIALS_OR_OPERATOR,
    params: credentialPath,
    response: credential
  }
})
