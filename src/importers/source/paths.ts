/** Paths of a repository: always with `/`, relative to its root. */

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')

export const isBelow = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`)

/** Paths by what the pattern's first group captures, in the order of the paths. */
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

/** Numbers in names count as numbers: 2 before 10. */
export const naturally = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare
