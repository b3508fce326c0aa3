/** Reads and parses the markdown files of the source. */
import type { ConvertContext, SourceText } from '../types.js'
import { parseMarkdown, type MarkdownDocument } from './blocks.js'
import { splitFrontMatter, type FrontMatter } from './front-matter.js'

export interface MarkdownFile extends SourceText, MarkdownDocument, FrontMatter {}

/** Those of the files that can be read. */
export const readMarkdown = async (
  paths: ReadonlyArray<string | undefined>, context: ConvertContext
): Promise<MarkdownFile[]> => {
  const sources = await context.readAll(paths.flatMap((path) => path ?? []))
  return sources.map((source) => {
    const front = splitFrontMatter(source.text, source.path, context.report)
    return { ...source, ...front, ...parseMarkdown(front.body, front.bodyLine) }
  })
}
