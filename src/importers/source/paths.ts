/** Paths of a repository: with `/`, relative to its root. */
import { relative, sep } from 'node:path'

/** The file in the root of a repository that configures its import. */
export const SETTINGS_FILE = '.exploration-mcp.json'

export const relativePath = (root: string, path: string): string => relative(root, path).split(sep).join('/')

/** Whether a real path lies in a folder, or is it. */
export const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The path without its last part; '' for the root. */
export const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')

/** Whether the name is that of a document about others, or of a template. */
export const isAboutOthers = (name: string): boolean =>
  /^(?:readme|index|about|contributing|changelog|license|code_of_conduct|(?:.*[-_.])?template|template.*|0*-template.*|_.*)\.[a-z]+$/i
    .test(name)

/** Groups paths by the first capture group of the pattern, in the order of the paths. */
export const groupPaths = (paths: readonly string[], pattern: RegExp): Map<string, string[]> => {
  const groups = new Map<string, string[]>()
  for (const path of paths) {
    const key = pattern.exec(path)?.[1]
    if (key === undefined) continue
    const group = groups.get(key)
    if (group) group.push(path)
    else groups.set(key, [path])
  }
  return groups
}

/** Compares names with numbers by value: 2 before 10. */
export const naturally = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare
