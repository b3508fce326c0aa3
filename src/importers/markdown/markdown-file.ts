/** Reads and parses a markdown file of the source. */
import type { ConvertContext, SourceText } from '../types.js'
import { parseMarkdown, type MarkdownDocument } from './blocks.js'
import { splitFrontMatter } from './front-matter.js'

export interface MarkdownFile extends SourceText, MarkdownDocument {
  /** Its front matter; empty when there is none. */
  data: Readonly<Record<string, unknown>>
  /** The text after the front matter, and the number of its first line. */
  body: string
  bodyLine: number
}

/** Undefined when the path is undefined or cannot be read. */
export const readMarkdown = async (
  path: string | undefined,
  context: ConvertContext
): Promise<MarkdownFile | undefined> => {
  const source = path === undefined ? undefined : await context.read(path)
  return source && parsedFile(source, context)
}

/** Parses the text of a file, with its front matter. */
const parsedFile = (source: SourceText, context: ConvertContext): MarkdownFile => {
  const front = splitFrontMatter(source.text, source.path, context.report)
  return { ...source, ...front, ...parseMarkdown(front.body, front.bodyLine) }
}
