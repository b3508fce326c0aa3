/** Joins documents into requirement packages, one per artifact type. */
import { fenced } from '../../planning/tools/escape-text.js'
import type { PackageDraft, SourceText } from '../types.js'

/** The packages of these documents by artifact type; several of one type are joined, each under its path as heading. */
export const packagesOf = (
  folder: string, documents: Readonly<Record<string, ReadonlyArray<SourceText | undefined>>>
): PackageDraft[] => Object.entries(documents).flatMap(([artifactType, all]) => {
  const texts = all.flatMap((text) => text ?? [])
  const inner = (path: string): string => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path)
  const joined = texts.map((text) => `# ${inner(text.path)}\n\n${asMarkdown(text).trim()}\n`).join('\n')
  const [first, second] = texts
  if (!first) return []
  return [{ artifactType, markdown: second ? joined : asMarkdown(first), paths: texts.map(({ path }) => path) }]
})

export const isMarkdown = (path: string): boolean => /\.(?:md|markdown|mdx)$/i.test(path)

const asMarkdown = ({ path, text, markdown = isMarkdown(path) }: SourceText): string =>
  markdown ? text : `${fenced(text, /\.([a-z0-9]{1,10})$/i.exec(path)?.[1] ?? '')}\n`

/** `Priority: high. Labels: web, api`, without what is empty. */
export const factsLine = (facts: Readonly<Record<string, string | readonly string[]>>): string =>
  Object.entries(facts).flatMap(([name, value]) => value.length === 0 ? [] : `${name}: ${[value].flat().join(', ')}`)
    .join('. ')

export const paragraphs = (...texts: readonly string[]): string => texts.filter(Boolean).join('\n\n')
