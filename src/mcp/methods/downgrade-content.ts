/** Contents as the caller's revision knows them: a kind that came later is told as text, so that nothing is lost. */
import { has } from '../revisions.js'
import type { Content } from '../tools/tool.js'

export const shapedContent = (content: Content, revision: string): Content => {
  if (content.type === 'audio' && !has(revision, 'audioContent')) {
    return text(`A sound (${content.mimeType}), which revision ${revision} cannot carry.`)
  }
  if (content.type === 'resource_link' && !has(revision, 'resourceLinks')) return text(`${content.title ?? content.name}: ${content.uri}`)
  return content
}

/** The same contents where the revision knows them all, which is the rule. */
export const shapedContents = (contents: Content[], revision: string): Content[] =>
  has(revision, 'resourceLinks') ? contents : contents.map((content) => shapedContent(content, revision))

const text = (words: string): Content => ({ type: 'text', text: words })
