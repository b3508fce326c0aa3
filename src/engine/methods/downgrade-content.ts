/**
 * Converts contents to what the caller's revision supports: a newer kind of content becomes text, so that nothing
 * is lost.
 */
import { supports } from '../revisions.js'
import type { Content } from '../tools/tool.js'

/** Returns the content itself when the revision supports it, otherwise a text about it. */
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
