/** The documents in the folder of a feature: some by their names, and the rest. */
import { readMarkdown, type MarkdownFile } from '../markdown/markdown-file.js'
import type { ImportReport } from '../report.js'
import { folderOf, groupPaths } from '../source/paths.js'
import type { ConvertContext, FormatId, ImportUnit, SourceText } from '../types.js'
import { isMarkdown } from './packages.js'

/** The folders (the first capture group) with at least one of the documents. Files beside them are reported. */
export const featureUnits = (
  format: FormatId, paths: readonly string[], folder: RegExp, documents: readonly string[], report: ImportReport
): ImportUnit[] => {
  const units = [...groupPaths(paths, folder)].flatMap(([path, files]): ImportUnit[] => {
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

/** Reads the files of a folder: what was asked for counts as read. */
export const featureFiles = (folder: string, files: readonly string[], context: ConvertContext) => {
  const asked = new Set<string>()
  const ask = (paths: readonly string[]): readonly string[] => {
    for (const path of paths) asked.add(path)
    return paths
  }
  const at = (...names: string[]): readonly string[] =>
    ask(names.map((name) => `${folder}/${name}`).filter((path) => files.includes(path)))
  return {
    at,
    read: (...names: string[]): Promise<MarkdownFile[]> => readMarkdown(at(...names), context),
    /** The files whose path inside the folder matches. */
    texts: (inner: RegExp): Promise<SourceText[]> =>
      context.readAll(ask(files.filter((path) => inner.test(path.slice(folder.length + 1))))),
    /** The markdown that was not asked for yet. What is no markdown is reported. */
    rest (): Promise<SourceText[]> {
      const left = files.filter((path) => !asked.has(path))
      for (const path of left) if (!isMarkdown(path)) context.report.note(path, 'left out: no markdown')
      return context.readAll(left.filter(isMarkdown))
    }
  }
}
