/** The parameter `resource` of a request (RFC 8707): which address the tokens are to be for. */
import { OAuthError } from '../../auth/oauth-error.js'
import { canonicalResource } from '../addresses.js'

/**
 * Returns the canonical address; undefined when none is named.
 * @param resources the addresses that tokens are issued for
 * @throws {OAuthError} `invalid_target` for another address, or more than one
 */
export const resourceParameter = (
  parameters: URLSearchParams, resources: readonly string[]
): string | undefined => {
  const named = new Set(parameters.getAll('resource').filter((value) => value.trim() !== ''))
  const found = [...named].map((value) => canonicalResource(value, resources))
  const [first] = found
  if (found.some((resource) => resource === undefined || resource !== first)) {
    throw new OAuthError('invalid_target', 'resource names another address than that of this server\'s endpoint.')
  }
  return first
}
