/** Documents → requirement packages, one for each artifact type. */
import type { PackageDraft, SourceText } from '../types.js'

/**
 * Several documents of one artifact type are joined, each under a heading with its path inside the feature's folder; one alone
 * stays as it is. What is no markdown is fenced. Undefined when there are none.
 */
export const packageOf = (
  artifactType: string,
  folder: string,
  documents: ReadonlyArray<SourceText | undefined>
): PackageDraft | undefined => {
  const texts = documents.filter((document) => document !== undefined)
  if (texts.length === 0) return undefined
  const inner = (path: string): string => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path)
  const [only] = texts
  return {
    artifactType,
    markdown:
      texts.length === 1 && only
        ? asMarkdown(only)
        : texts.map((text) => `# ${inner(text.path)}\n\n${asMarkdown(text).trim()}\n`).join('\n'),
    paths: texts.map(({ path }) => path)
  }
}

export const isMarkdown = (path: string): boolean => /\.(?:md|markdown|mdx)$/i.test(path)

const asMarkdown = ({ path, text }: SourceText): string =>
  isMarkdown(path) ? text : fenced(text, /\.([a-z0-9]{1,10})$/i.exec(path)?.[1] ?? '')

/** Fences longer than any in the text. */
export const fenced = (text: string, language: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([fence]) => fence.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n?$/, '\n')}${fence}\n`
}

export const present = <T>(values: ReadonlyArray<T | undefined>): T[] =>
  values.filter((value): value is T & {} => value !== undefined)
