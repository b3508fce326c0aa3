/** The documents in the folder of a feature: some by their names, and the rest. */
import { readMarkdown, type MarkdownFile } from '../markdown/markdown-file.js'
import type { ImportReport } from '../report.js'
import { folderOf, groupPaths } from '../source/paths.js'
import type { ConvertContext, FormatId, ImportUnit, SourceText } from '../types.js'
import { isMarkdown, present } from './packages.js'

/** The folders (the first capture group) with at least one of the documents. Files beside them are reported. */
export const featureUnits = (
  format: FormatId, paths: readonly string[], folder: RegExp, documents: readonly string[], report: ImportReport
): ImportUnit[] => {
  const groups = groupPaths(paths, folder)
  const units = [...groups].flatMap(([path, files]): ImportUnit[] => {
    const found = documents.filter((name) => files.includes(`${path}/${name}`))
    return found.length === 0 ? [] : [{ format, path, files, reason: `${found.join(', ')} in ${path}` }]
  })
  const parents = new Set(units.map(({ path }) => folderOf(path)))
  for (const path of paths) {
    if (isMarkdown(path) && parents.has(folderOf(path))) {
      report.note(path, 'left out: it lies beside the folders of the features')
    }
  }
  return units
}

export interface FeatureFiles {
  /** The path of a file inside the folder; undefined when it is not there. */
  at(name: string): string | undefined
  /** The markdown files of these names that are there, in this order. */
  read(...names: string[]): Promise<MarkdownFile[]>
  /** The files whose path inside the folder matches. */
  texts(inner: RegExp): Promise<SourceText[]>
  /** The markdown that was not asked for yet. What is no markdown is reported. */
  rest(): Promise<SourceText[]>
}

/** What was asked for counts as read. */
export const featureFiles = (
  folder: string, files: readonly string[], context: ConvertContext
): FeatureFiles => {
  const asked = new Set<string>()
  const inner = (path: string): string => path.slice(folder.length + 1)
  const readAll = async (paths: readonly string[]): Promise<SourceText[]> => {
    for (const path of paths) asked.add(path)
    return present(await Promise.all(paths.map((path) => context.read(path))))
  }
  const at = (name: string): string | undefined => {
    const path = files.find((file) => inner(file) === name)
    if (path !== undefined) asked.add(path)
    return path
  }
  return {
    at,
    read: async (...names) => present(await Promise.all(names.map((name) => readMarkdown(at(name), context)))),
    texts: (pattern) => readAll(files.filter((path) => pattern.test(inner(path)))),
    rest: () => {
      const left = files.filter((path) => !asked.has(path))
      for (const path of left) if (!isMarkdown(path)) context.report.note(path, 'left out: no markdown')
      return readAll(left.filter(isMarkdown))
    }
  }
}
