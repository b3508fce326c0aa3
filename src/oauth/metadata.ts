/** The metadata of the authorization server: RFC 8414, and the form of OpenID that some clients ask for instead. */
import type { OAuthAddresses } from './addresses.js'
import { SCOPE } from './scope.js'

/** The scope by which clients ask for refresh tokens. It gives no access. */
const OFFLINE_ACCESS = 'offline_access'

/** How clients show who they are. `none` is needed: hosts fall back to registration where it is missing. */
const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post']

/** Returns the metadata of RFC 8414 section 2, for these addresses. */
export const serverMetadata = ({ resource, authorize, token, register, revoke }: OAuthAddresses) => ({
  issuer: resource,
  authorization_endpoint: authorize,
  token_endpoint: token,
  registration_endpoint: register,
  revocation_endpoint: revoke,
  scopes_supported: [SCOPE, OFFLINE_ACCESS],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: AUTH_METHODS,
  revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  protected_resources: [resource]
})

/** Returns the metadata with the fields that clients require of OpenID providers. Nothing is signed here. */
export const openIdMetadata = (addresses: OAuthAddresses) => ({
  ...serverMetadata(addresses),
  jwks_uri: addresses.jwks,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256']
})
