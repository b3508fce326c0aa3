/** The parameter `resource` of authorization and token requests (RFC 8707): which address the tokens are to be for. */
import { canonicalResource } from './addresses.js'

const MESSAGE = 'resource names another address than that of this server\'s endpoint.'

/**
 * Returns the canonical address; undefined when none is named. It may be named several times, in several spellings.
 * @param resources canonical addresses that tokens are issued for
 * @param invalidTarget makes the error to throw for any other address
 */
export const resourceParameter = (
  parameters: URLSearchParams, resources: readonly string[], invalidTarget: (message: string) => Error
): string | undefined => {
  const values = parameters.getAll('resource').filter((value) => value.trim() !== '')
  const [first, ...others] = new Set(values.map((value) => canonicalResource(value, resources)))
  if (values.length > 0 && (first === undefined || others.length > 0)) throw invalidTarget(MESSAGE)
  return first
}
