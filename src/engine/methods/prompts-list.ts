/** Lists the prompts, the same for every caller: 2026-07-28 server/prompts#listing-prompts. */
import { Fault } from '../../lib/errors.js'
import { supports } from '../revisions.js'
import type { Method } from './method.js'

const HOUR = 3_600_000

/**
 * Returns all prompts on one page.
 * @throws {Fault} `invalid_params` for a cursor
 */
export const listPrompts: Method = async (params, { revision }, { prompts }) => {
  if (params['cursor'] !== undefined) {
    throw new Fault('invalid_params', 'The list of prompts has one page: leave the cursor out.')
  }
  const definitions = prompts?.definitions ?? []
  return {
    result: { prompts: supports(revision, 'titles') ? definitions : definitions.map(({ title, ...rest }) => rest) },
    cache: { ttlMs: HOUR, scope: 'public' }
  }
}
