/**
 * What lists and contents have in common: one page, and nothing that the caller's revision does not have. A newer kind
 * of content becomes text, so that nothing is lost.
 */
import { requireParams } from '../../lib/errors.js'
import { supports } from '../revisions.js'
import type { Content } from '../tools/tool.js'

/** @throws {Fault} `invalid_params` for a cursor: all entries are on one page */
export const requireOnePage = (cursor: unknown, of: string): void => {
  requireParams(cursor === undefined, `The list of ${of} has one page: leave the cursor out.`)
}

export const shaped = <Entry extends { icons?: unknown, title?: unknown, annotations?: unknown }>(
  entry: Entry, revision: string
): Partial<Entry> => {
  if (supports(revision, 'icons')) return entry
  const { icons, ...known } = entry
  if (supports(revision, 'titles')) return known as Partial<Entry>
  const { title, annotations, ...rest } = known
  return rest as Partial<Entry>
}

export const downgradeContent = (content: Content, revision: string): Content => {
  if (content.type === 'audio' && !supports(revision, 'audioContent')) {
    return text(`Audio (${content.mimeType}), which revision ${revision} does not support.`)
  }
  if (content.type === 'resource_link' && !supports(revision, 'resourceLinks')) {
    return text(`${content.title ?? content.name}: ${content.uri}`)
  }
  return content
}

/** Does this for a list. Returns the same array when the revision supports all kinds, which is the common case. */
export const downgradeContents = (contents: Content[], revision: string): Content[] =>
  supports(revision, 'resourceLinks') ? contents : contents.map((content) => downgradeContent(content, revision))

const text = (words: string): Content => ({ type: 'text', text: words })
