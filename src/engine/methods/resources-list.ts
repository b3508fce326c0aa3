/** Lists the concrete resources that the caller can see, page by page. */
import { supports } from '../revisions.js'
import type { ResourceEntry } from '../resources/resource.js'
import { parseCursor } from './cursor.js'
import type { Method } from './method.js'
import { rejectRefusal } from './refusal.js'

const MINUTE = 60_000

/**
 * Returns one page.
 * @throws {Fault} `invalid_params` for a cursor that is not one of this list
 */
export const listResources: Method = async (params, context, { resources }) => {
  const { entries, next } = await resources.list(context, parseCursor(params)).catch(rejectRefusal)
  return {
    result: {
      resources: entries.map((entry) => shaped(entry, context.revision)),
      ...(next !== undefined && { nextCursor: next })
    },
    cache: { ttlMs: MINUTE, scope: 'private' }
  }
}

const shaped = (entry: ResourceEntry, revision: string): ResourceEntry => {
  if (supports(revision, 'titles')) return entry
  const { title, annotations, ...rest } = entry
  return rest
}
