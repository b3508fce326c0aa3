/** Lists the templates of the resources, the same for every caller. */
import { Fault } from '../../lib/errors.js'
import { supports } from '../revisions.js'
import type { Method } from './method.js'

const HOUR = 3_600_000

/**
 * Returns all templates on one page.
 * @throws {Fault} `invalid_params` for a cursor
 */
export const listResourceTemplates: Method = async (params, { revision }, { resources }) => {
  if (params['cursor'] !== undefined) {
    throw new Fault('invalid_params', 'The list of templates has one page: leave the cursor out.')
  }
  const resourceTemplates = supports(revision, 'titles')
    ? resources.templates
    : resources.templates.map(({ title, ...rest }) => rest)
  return { result: { resourceTemplates }, cache: { ttlMs: HOUR, scope: 'public' } }
}
