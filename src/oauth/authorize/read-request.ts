/** Reads an authorization request (OAuth 2.1 section 4.1.1) whose client is known. */
import { AuthorizationError } from './authorization-error.js'
import { resourceParameter, WRITE } from '../scope.js'

const MAX_VALUE_LENGTH = 2000
// The S256 challenge of PKCE is 32 bytes in base64url.
const CHALLENGE = /^[\w-]{43}$/
// eslint-disable-next-line no-control-regex -- it rejects control characters
const UNPRINTABLE = /[\u0000-\u001f\u007f]/

/** An empty parameter counts as absent. The reader throws an `AuthorizationError` for one that is repeated. */
export const readParameters = (query: URLSearchParams, audience: 'page' | 'client') => (name: string) => {
  const [value, ...others] = query.getAll(name)
  const refuse = (why: string): never => { throw new AuthorizationError('invalid_request', why, audience) }
  if (others.length > 0) refuse(`The request has ${name} twice.`)
  if (value === undefined || value === '') return undefined
  if (value.length > MAX_VALUE_LENGTH || UNPRINTABLE.test(value)) {
    refuse(`${name} of the request is longer than ${MAX_VALUE_LENGTH} characters or no text.`)
  }
  return value
}

/** Checks everything but the client and its address. The first of the canonical `resources` is this server's own. */
export const readRequest = (query: URLSearchParams, resources: readonly string[]) => {
  const parameter = readParameters(query, 'client')
  parameter('state')
  if (parameter('request') !== undefined) {
    throw new AuthorizationError('request_not_supported', 'The request is in an object, which is not supported.')
  }
  if (parameter('request_uri') !== undefined) {
    throw new AuthorizationError('request_uri_not_supported', 'The request is at an address, which is not supported.')
  }
  const type = parameter('response_type')
  if (type !== 'code') {
    throw type === undefined
      ? new AuthorizationError('invalid_request', 'The request has no response_type.')
      : new AuthorizationError('unsupported_response_type', 'The response_type of the request is not code.')
  }
  if (![undefined, 'query'].includes(parameter('response_mode'))) {
    throw new AuthorizationError('invalid_request', 'The response_mode of the request is not query.')
  }
  if (parameter('prompt')?.split(' ').includes('none')) {
    throw new AuthorizationError('interaction_required', 'Connecting an application always asks the person.')
  }
  const challenge = parameter('code_challenge')
  if (challenge === undefined) {
    throw new AuthorizationError('invalid_request', 'The request has no code_challenge: PKCE is required.')
  }
  if (parameter('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge)) {
    throw new AuthorizationError('invalid_request', 'The code_challenge of the request is not one of the method S256.')
  }
  const scopes = parameter('scope')?.split(' ') ?? []
  const [own = ''] = resources
  const resource = resourceParameter(query, resources, (message) => new AuthorizationError('invalid_target', message))
  return {
    challenge,
    resource: resource ?? own,
    /** Whether it asks for refresh tokens by scope. */
    offline: scopes.includes('offline_access'),
    writes: scopes.includes(WRITE)
  }
}
