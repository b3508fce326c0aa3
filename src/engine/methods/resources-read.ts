/** Reads one resource by its URI. */
import { Fault, Refusal } from '../../lib/errors.js'
import { supports } from '../revisions.js'
import type { Method } from './method.js'

const MAX_URI_LENGTH = 2048

/**
 * Returns the URI.
 * @throws {Fault} `invalid_params` when it is not a string of 1 to 2048 characters
 */
export const requireUri = (uri: unknown): string => {
  if (typeof uri === 'string' && uri !== '' && uri.length <= MAX_URI_LENGTH) return uri
  throw new Fault('invalid_params', `"params.uri" is a URI of at most ${MAX_URI_LENGTH} characters.`)
}

/** The fault for a URI without a resource. */
export const resourceNotFound = (uri: string): Fault =>
  new Fault(
    'resource_not_found', 'There is no resource at this URI. resources/templates/list shows what there is.', { uri }
  )

/**
 * Reads a resource.
 * @throws {Fault} `invalid_params` for a malformed URI, `resource_not_found`
 */
export const readResource: Method = async (params, context, { resources, dataNote }) => {
  const uri = requireUri(params['uri'])
  const reading = await resources.read(uri, context).catch((error: unknown) => {
    throw error instanceof Refusal ? new Fault('invalid_params', error.message, { uri }) : error
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
