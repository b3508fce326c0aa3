/**
 * Makes everything that is published out of the commit that is checked out, into one folder: `npm run release`, or
 * `npm run release -- FOLDER` (release/ without it). Needs no network. Refuses changed files, and packages that are not those of the lockfile.
 * The same commit gives the same files, byte for byte.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { make } from './make.mjs'
import { reasonsAgainst } from './reasons-against.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const target = resolve(process.argv[2] ?? join(root, 'release'))

/** @param {...string} args */
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })

const reasons = reasonsAgainst(root, git, target)
if (reasons.length > 0) {
  console.error(`No release was made.\n${reasons.join('\n')}`)
  process.exit(1)
}

// Below the project, so that programs find its packages, and ignored by git.
mkdirSync(join(root, '.tap'), { recursive: true })
const work = mkdtempSync(join(root, '.tap/release-'))
try {
  const sources = join(work, 'exploration-mcp')
  const made = join(work, 'made')
  for (const folder of [sources, made]) mkdirSync(folder)
  execFileSync('sh', ['-c', `git archive HEAD | tar -x -C '${sources}'`], { cwd: root })
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'))
  await make({ sources, to: made, git, time: new Date(Number(git('log', '-1', '--format=%ct')) * 1000) })
  // Whole or not at all.
  rmSync(target, { recursive: true, force: true })
  renameSync(made, target)
} finally {
  rmSync(work, { recursive: true, force: true })
}
const shown = existsSync(target) && relative(process.cwd(), target)
console.log(readdirSync(target).sort().map((file) => join(shown || target, file)).join('\n'))
