/** Lists resources by page and templates, reads one: 2026-07-28 server/resources, server/utilities/pagination */
import { Fault, requireRefusal } from '../../lib/errors.js'
import type { Params } from '../jsonrpc/message.js'
import { supports } from '../revisions.js'
import type { Method } from './method.js'
import { rejectRefusal } from './guards.js'
import { requireOnePage, shaped } from './older-revisions.js'

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

export const listResourceTemplates: Method = async ({ cursor }, context, { resources, showEntries }) => {
  requireOnePage(cursor, 'templates')
  const { templates } = resources
  const shown = await showEntries?.(
    'resources/templates/list', templates, ({ uriTemplate }) => uriTemplate, context) ?? templates
  const resourceTemplates = shown.map((template) => shaped(template, context.revision))
  return { result: { resourceTemplates }, cache: { ttlMs: HOUR, scope: 'public' } }
}

const MAX_URI_LENGTH = 2048

/** @throws {Fault} `invalid_params` when it is not a string of 1 to 2048 characters */
export const requireUri = (uri: unknown): string => {
  if (typeof uri === 'string' && uri !== '' && uri.length <= MAX_URI_LENGTH) return uri
  throw new Fault('invalid_params', `"params.uri" is a URI of at most ${MAX_URI_LENGTH} characters.`)
}

export const resourceNotFound = (uri: string): Fault =>
  new Fault(
    'resource_not_found', 'There is no resource at this URI. resources/templates/list shows what there is.', { uri }
  )

export const readResource: Method = async (params, context, { resources, dataNote }) => {
  const uri = requireUri(params['uri'])
  const reading = await resources.read(uri, context).catch((error: unknown) => {
    throw new Fault('invalid_params', requireRefusal(error).message, { uri })
  })
  if (!reading) throw resourceNotFound(uri)
  const { view, isShared = false } = reading
  const contents = reading.contents.map(({ lastModified, _meta: own, ...one }) => {
    const meta = {
      ...(supports(context.revision, 'metaOfContents') && {
        ...(!view && !isShared && dataNote), ...own, ...(lastModified !== undefined && { lastModified })
      }),
      // Who reads a view knows the extension, whatever the revision.
      ...(view && { ui: view })
    }
    return Object.keys(meta).length > 0 ? { ...one, _meta: meta } : one
  })
  return { result: { contents }, cache: { ttlMs: reading.ttlMs, scope: isShared ? 'public' : 'private' } }
}
