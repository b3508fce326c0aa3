/** Reads one resource by its URI. */
import { Fault, Refusal } from '../errors.js'
import { has } from '../revisions.js'
import type { Method } from './method.js'

const MAX_URI_LENGTH = 2048

export const readResource: Method = async ({ uri }, call, { resources, dataNote }) => {
  if (typeof uri !== 'string' || uri === '' || uri.length > MAX_URI_LENGTH) {
    throw new Fault('invalid_params', `"params.uri" is a URI of at most ${MAX_URI_LENGTH} characters.`)
  }
  const reading = await resources.read(uri, call).catch((error: unknown) => {
    throw error instanceof Refusal ? new Fault('invalid_params', error.message, { uri }) : error
  })
  if (!reading) throw new Fault('resource_not_found', 'There is no resource at this URI. resources/templates/list shows what there is.', { uri })
  const { lastModified, ...contents } = reading.contents
  const meta = has(call.revision, 'metaOfContents') && { ...dataNote, ...(lastModified !== undefined && { lastModified }) }
  return {
    result: { contents: [meta && Object.keys(meta).length > 0 ? { ...contents, _meta: meta } : contents] },
    cache: { ttlMs: reading.ttlMs, scope: 'private' }
  }
}
