/** `npm pack`'s tarball of the checkout, made once for all that ask in this process: it computes for three seconds. */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** @type {Promise<string> | undefined} */
let packed

/**
 * Answers the path of the tarball, which goes when the process ends. `npm run build` comes first.
 * @throws {Error} when npm fails, with what it printed
 */
export const packedProgram = () => {
  packed ??= pack()
  return packed
}

const pack = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'packed-program-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })
  const [{ filename }] = JSON.parse(stdout)
  return join(folder, filename)
}
