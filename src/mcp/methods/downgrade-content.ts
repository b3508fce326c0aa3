/** Contents as the caller's revision knows them: a kind that came later is told as text, so that nothing is lost. */
import { supports } from '../revisions.js'
import type { Content } from '../tools/tool.js'

export const downgradeContent = (content: Content, revision: string): Content => {
  if (content.type === 'audio' && !supports(revision, 'audioContent')) {
    return text(`A sound (${content.mimeType}), which revision ${revision} cannot carry.`)
  }
  if (content.type === 'resource_link' && !supports(revision, 'resourceLinks')) return text(`${content.title ?? content.name}: ${content.uri}`)
  return content
}

/** The same contents where the revision knows them all, which is the rule. */
export const downgradeContents = (contents: Content[], revision: string): Content[] =>
  supports(revision, 'resourceLinks') ? contents : contents.map((content) => downgradeContent(content, revision))

const text = (words: string): Content => ({ type: 'text', text: words })
