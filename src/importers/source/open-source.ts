/** Finds the repository around a path that the user named, from whose root all paths start. */
import { access, open, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Refusal } from '../../lib/errors.js'
import { gitRemote, gitRoot, isTracked, type GitRepository } from './git.js'
import { relativePath, SETTINGS_FILE } from './paths.js'
import { unreadable } from '../../lib/error-code.js'

export interface ImportSource {
  /** The real path of the root. */
  root: string
  /** Only files below this folder are imported, relative to the root; '' for all. */
  under: string
  /** The file that was named, relative to the root; undefined when it was a folder. */
  file: string | undefined
  /** The name of the root, for explorations without a title. */
  name: string
  /** Distinguishes it from other repositories in a workspace: `host/owner/name`, else its name. */
  key: string
  repository: GitRepository | undefined
}

/** @throws {Refusal} when the path does not exist or cannot be read */
export const openSource = async (path: string, cwd: string): Promise<ImportSource> => {
  const { real, isFolder: folder } = await existing(resolve(cwd, path), path)
  const home = folder ? real : dirname(real)
  const repository = await repositoryOf(real, home)
  const root = repository?.root ?? (await rootWithoutGit(home))
  const inner = relativePath(root, real)
  const name = (inner === '' && repository?.remote) || (folder ? real : root)
  return {
    root,
    under: folder ? inner : relativePath(root, home),
    file: folder ? undefined : inner,
    name: basename(folder && PLANNING_FOLDER.test(inner) ? root : name) || 'root',
    key: repository?.remote ?? basename(root),
    repository
  }
}

/** The repository that tracks the path. An untracked folder inside a repository is a source of its own. */
const repositoryOf = async (real: string, home: string): Promise<GitRepository | undefined> => {
  const root = gitRoot(home)
  if (root === undefined) return undefined
  return real === root || await isTracked(root, relativePath(root, real))
    ? { root, remote: await gitRemote(root) }
    : undefined
}

const existing = async (path: string, shown: string): Promise<{ real: string, isFolder: boolean }> => {
  try {
    const real = await realpath(path)
    const info = await stat(real)
    if (!info.isFile() && !info.isDirectory()) throw new Refusal(`${shown} is neither a file nor a folder.`)
    await (await open(real)).close()
    return { real, isFolder: info.isDirectory() }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(unreadable(shown, error))
  }
}

const PLANNING_FOLDER = /^(?:specs|openspec|\.kiro(?:\/specs)?|\.?backlog|\.taskmaster|\.beads)$/

const MAX_CLIMB = 12

/** The nearest folder with settings. Without one, a folder of plans belongs to the repository around it. */
const rootWithoutGit = async (home: string): Promise<string> => {
  let folder = home
  for (let up = 0; up < MAX_CLIMB; up++, folder = dirname(folder)) {
    if (await access(join(folder, SETTINGS_FILE)).then(() => true, () => false)) return folder
  }
  const [parent, above] = [dirname(home), dirname(dirname(home))]
  if (basename(parent) === '.kiro' && basename(home) === 'specs') return above
  return PLANNING_FOLDER.test(basename(home)) ? parent : home
}

export const absolutePath = ({ root }: ImportSource, path: string): string => join(root, path)
