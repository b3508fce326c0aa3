/**
 * `npm pack`'s tarball of the checkout. To make it computes for three seconds, so it is made again only when something that is packed has
 * changed.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FOLDER = join(ROOT, 'node_modules/.cache/exploration-mcp')
const TARBALL = join(FOLDER, 'packed.tgz')
// npm packs these whatever package.json lists.
const ALWAYS = ['package.json', 'README.md', 'LICENSE']

/** Milliseconds; 0 when there is no such file. */
const changed = (/** @type {string} */ path) => stat(path).then(({ mtimeMs }) => mtimeMs, () => 0)

/** When the newest of the packed files and their folders was changed: folders too, as a file may be gone. */
const newest = async () => {
  const { files } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const times = ALWAYS.map((name) => changed(join(ROOT, name)))
  for (const name of files.filter((/** @type {string} */ pattern) => !pattern.startsWith('!'))) {
    const folder = join(ROOT, name)
    times.push(changed(folder), ...(await readdir(folder, { recursive: true })).map((path) => changed(join(folder, path))))
  }
  return Math.max(...await Promise.all(times))
}

/**
 * Answers the path of the tarball. `npm run build` comes first.
 * @throws {Error} when npm fails, with what it printed
 */
export const packedProgram = async () => {
  if (await changed(TARBALL) > await newest()) return TARBALL
  await mkdir(FOLDER, { recursive: true })
  // Whole or not at all: another process may be reading it.
  const own = await mkdtemp(join(FOLDER, 'packed-'))
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', own]
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })
  const [{ filename }] = JSON.parse(stdout)
  await rename(join(own, filename), TARBALL)
  await rm(own, { recursive: true })
  return TARBALL
}
