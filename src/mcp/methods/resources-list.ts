/** The concrete resources that the caller can see, page by page. */
import { has } from '../revisions.js'
import type { ResourceEntry } from '../resources/resource.js'
import { cursorOf, paged } from './cursor.js'
import type { Method } from './method.js'

const MINUTE = 60_000

export const listResources: Method = async (params, call, { resources }) => {
  const { entries, next } = await paged(() => resources.list(call, cursorOf(params)))
  return {
    result: { resources: entries.map((entry) => shaped(entry, call.revision)), ...(next !== undefined && { nextCursor: next }) },
    cache: { ttlMs: MINUTE, scope: 'private' }
  }
}

const shaped = (entry: ResourceEntry, revision: string): ResourceEntry => {
  if (has(revision, 'titles')) return entry
  const { title, annotations, ...rest } = entry
  return rest
}
