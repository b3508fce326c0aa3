/**
 * Lists the concrete resources that the caller can see, page by page, and the templates: 2026-07-28
 * server/utilities/pagination
 */
import { Fault } from '../../lib/errors.js'
import type { Params } from '../jsonrpc/message.js'
import { supports } from '../revisions.js'
import type { ResourceEntry } from '../resources/resource.js'
import type { Method } from './method.js'
import { rejectRefusal } from './guards.js'

const MAX_CURSOR_LENGTH = 2048

/**
 * Returns `params.cursor`; undefined without one.
 * @throws {Fault} `invalid_params` when it is not a string of at most 2048 characters
 */
const parseCursor = (params: Params): string | undefined => {
  const { cursor } = params
  if (cursor === undefined) return undefined
  if (typeof cursor !== 'string' || cursor.length > MAX_CURSOR_LENGTH) {
    throw new Fault('invalid_params', `"params.cursor" is a string of at most ${MAX_CURSOR_LENGTH} characters.`)
  }
  return cursor
}

const MINUTE = 60_000

/**
 * Returns one page.
 * @throws {Fault} `invalid_params` for a cursor that is not one of this list
 */
export const listResources: Method = async (params, context, { resources, showEntries }) => {
  const { entries, next } = await resources.list(context, parseCursor(params)).catch(rejectRefusal)
  const shown = await showEntries?.('resources/list', entries, ({ uri }) => uri, context) ?? entries
  return {
    result: {
      resources: shown.map((entry) => shaped(entry, context.revision)),
      ...(next !== undefined && { nextCursor: next })
    },
    cache: { ttlMs: MINUTE, scope: 'private' }
  }
}

/** Leaves out what the caller's revision does not have. */
const shaped = <Entry extends Partial<ResourceEntry>>(entry: Entry, revision: string): Partial<Entry> => {
  if (supports(revision, 'icons')) return entry
  const { icons, ...known } = entry
  if (supports(revision, 'titles')) return known as Partial<Entry>
  const { title, annotations, ...rest } = known
  return rest as Partial<Entry>
}

const TTL_MS = 3_600_000

/**
 * Returns all templates on one page.
 * @throws {Fault} `invalid_params` for a cursor
 */
export const listResourceTemplates: Method = async (params, context, { resources, showEntries }) => {
  if (params['cursor'] !== undefined) {
    throw new Fault('invalid_params', 'The list of templates has one page: leave the cursor out.')
  }
  const { templates } = resources
  const shown = await showEntries?.(
    'resources/templates/list', templates, ({ uriTemplate }) => uriTemplate, context) ?? templates
  const resourceTemplates = shown.map((template) => shaped(template, context.revision))
  return { result: { resourceTemplates }, cache: { ttlMs: TTL_MS, scope: 'public' } }
}
