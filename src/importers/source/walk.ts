/** Lists the files of a repository: .gitignore respected, links not followed, bounded in number and depth. */
import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import type { ImportReport } from '../report.js'
import { isInside } from './paths.js'
import { readStart } from './read-source.js'
import { errorCodeOrName } from '../../lib/error-code.js'

interface Rules {
  base: string
  ignore: Ignore
}

const MAX_FILES = 200_000
const MAX_DEPTH = 32
const MAX_IGNORE_BYTES = 1024 * 1024
const ALWAYS_LEFT_OUT = new Set(['.git', '.hg', '.svn', 'node_modules'])

/** Usual folders of plans: when one is ignored, that is reported. */
const PLANNING_FOLDERS = new Set([
  'specs', 'openspec', '.kiro', 'backlog', '.backlog', '.taskmaster', '.beads', 'adr', 'adrs', 'rfcs', 'keps'
])

/** Paths are relative to the root, which is ''. Only what is below `under` is read, and no folder of `exclude`. */
export const walk = async (
  root: string, report: ImportReport, { under, exclude }: { under: string, exclude: ReadonlySet<string> }
): Promise<{ files: string[], folders: string[] }> => {
  const files: string[] = []
  const folders: string[] = []
  let full = false

  const visit = async (folder: string, rules: readonly Rules[], depth: number): Promise<void> => {
    if (full) return
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
      report.problem(folder || '.', `the folder cannot be read (${errorCodeOrName(error)})`)
    })
    if (!entries) return
    // A clone, a submodule, or a worktree, which would repeat the plans of this repository.
    if (folder !== under && entries.some(({ name }) => name === '.git')) {
      report.note(folder, 'left out: a repository or worktree of its own; import it by its path')
      return
    }
    folders.push(folder)
    const here = entries.some(({ name }) => name === '.gitignore')
      ? [...(await rulesOf(root, folder)), ...rules]
      : rules
    const below: string[] = []
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (ALWAYS_LEFT_OUT.has(entry.name) || exclude.has(path)) continue
        if (isIgnored(`${path}/`, here)) {
          if (PLANNING_FOLDERS.has(entry.name)) report.note(path, 'left out: ignored by .gitignore')
          continue
        }
        if (depth >= MAX_DEPTH) report.problem(path, `left out: folders are nested deeper than ${MAX_DEPTH}`)
        else below.push(path)
      } else if (!isIgnored(path, here) && (entry.isFile() || (await isLinkedFile(root, path, entry, report)))) {
        if (files.length >= MAX_FILES) {
          if (!full) report.problem(path, `left out, with everything after it: there are more than ${MAX_FILES} files`)
          full = true
          return
        }
        files.push(path)
      }
    }
    for (const path of below) await visit(path, here, depth + 1)
  }

  await visit(under, await rulesAbove(root, under), 0)
  return { files: files.sort(), folders }
}

/** Whether a link leads to a file inside the root. Links to folders are not followed. */
const isLinkedFile = async (root: string, path: string, entry: Dirent, report: ImportReport): Promise<boolean> => {
  if (!entry.isSymbolicLink()) return false
  const leftOut = (reason: string): boolean => {
    report.note(path, `left out: ${reason}`)
    return false
  }
  try {
    const target = await realpath(join(root, path))
    if (!isInside(await realpath(root), target)) return leftOut('a link to a place outside the root')
    return (await stat(target)).isDirectory()
      ? leftOut('a link to a folder; what lies inside the root is read at its own place')
      : true
  } catch (error) {
    return leftOut(`the link leads nowhere (${errorCodeOrName(error)})`)
  }
}

/** The ignore rules of the folders above; none for an ignored folder that the user named. */
const rulesAbove = async (root: string, under: string): Promise<Rules[]> => {
  const rules: Rules[] = []
  for (let folder = under; folder !== '';) {
    folder = dirname(folder) === '.' ? '' : dirname(folder)
    rules.push(...(await rulesOf(root, folder)))
  }
  rules.push(...(await rulesOf(root, '', '.git/info/exclude')))
  return under !== '' && isIgnored(`${under}/`, rules) ? [] : rules
}

const rulesOf = async (root: string, folder: string, name = '.gitignore'): Promise<Rules[]> => {
  try {
    const { bytes, size } = await readStart(join(root, folder, name), MAX_IGNORE_BYTES)
    const rules = ignore({ allowRelativePaths: true })
    return size > MAX_IGNORE_BYTES ? [] : [{ base: folder, ignore: rules.add(bytes.toString('utf8')) }]
  } catch {
    return []
  }
}

/** The nearest file of rules that matches the path decides. */
const isIgnored = (path: string, rules: readonly Rules[]): boolean => {
  for (const { base, ignore: matcher } of rules) {
    const inner = base === '' ? path : path.slice(base.length + 1)
    if (inner === '' || inner.startsWith('../')) continue
    const { ignored, unignored } = matcher.test(inner)
    if (ignored) return true
    if (unignored) return false
  }
  return false
}
