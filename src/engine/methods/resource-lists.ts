/**
 * Lists the concrete resources that the caller can see, page by page, and the templates: 2026-07-28
 * server/utilities/pagination
 */
import { Fault } from '../../lib/errors.js'
import type { Params } from '../jsonrpc/message.js'
import type { Method } from './method.js'
import { rejectRefusal } from './guards.js'
import { requireOnePage, shaped } from './lists.js'

const MAX_CURSOR_LENGTH = 2048

const parseCursor = ({ cursor }: Params): string | undefined => {
  if (cursor === undefined || (typeof cursor === 'string' && cursor.length <= MAX_CURSOR_LENGTH)) return cursor
  throw new Fault('invalid_params', `"params.cursor" is a string of at most ${MAX_CURSOR_LENGTH} characters.`)
}

const MINUTE = 60_000

/** @throws {Fault} `invalid_params` for a cursor that is not one of this list */
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

const HOUR = 3_600_000

/** Returns all templates on one page. */
export const listResourceTemplates: Method = async ({ cursor }, context, { resources, showEntries }) => {
  requireOnePage(cursor, 'templates')
  const { templates } = resources
  const shown = await showEntries?.(
    'resources/templates/list', templates, ({ uriTemplate }) => uriTemplate, context) ?? templates
  const resourceTemplates = shown.map((template) => shaped(template, context.revision))
  return { result: { resourceTemplates }, cache: { ttlMs: HOUR, scope: 'public' } }
}
