import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { billOfMaterials } from './bill-of-materials.mjs'
import { notices } from './notices.mjs'

/**
 * @typedef {object} Release
 * @property {string} sources a folder with the files of the commit, where packages are found
 * @property {string} to folder of what is published
 * @property {(...args: string[]) => string} git
 * @property {Date} time of the commit
 */

/** @param {string} file */
const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')

/**
 * Builds the sources and writes all that is published.
 * @param {Release} release
 * @throws when a step fails, with what it printed
 */
export const make = async ({ sources, to, git, time }) => {
  // Whatever the build dates has the time of the commit.
  const env = { ...process.env, SOURCE_DATE_EPOCH: `${time.getTime() / 1000}` }
  /**
   * @param {string} program
   * @param {...string} args
   */
  const run = (program, ...args) =>
    execFileSync(program, args, { cwd: sources, env, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'inherit'] })
  /** @param {string} file */
  const read = (file) => JSON.parse(readFileSync(join(sources, file), 'utf8'))
  /**
   * @param {string} file
   * @param {object | string} content
   */
  const write = (file, content) => writeFileSync(join(to, file), typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`)
  const { name, version, mcpName } = read('package.json')

  run(process.execPath, 'scripts/build.mjs')
  const [{ filename }] = JSON.parse(run('npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', to))
  const engine = run(process.execPath, 'scripts/engine/pack.mjs', to).trim().split('\n').at(-1) ?? ''

  // What .dockerignore lets through: all is left out, then names are let in.
  const kept = readFileSync(join(sources, '.dockerignore'), 'utf8').split('\n').filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  git('archive', '--format=tar.gz', `--output=${join(to, `${name}-${version}-image.tar.gz`)}`, 'HEAD', 'Dockerfile', '.dockerignore', ...kept)

  const entry = read('scripts/registry/server.json')
  write('server.json', {
    ...entry, name: mcpName, version, packages: entry.packages.map((/** @type {object} */ one) => ({ ...one, version, fileSha256: sha256(join(to, filename)) }))
  })
  write('sbom.cdx.json', billOfMaterials(sources, time))
  write('NOTICES.txt', notices(sources, run('tar', '-xzOf', engine, 'package/THIRD-PARTY-LICENSES.txt').trim()))
  const files = readdirSync(to).sort()
  write('SHA256SUMS', files.map((file) => `${sha256(join(to, file))}  ${file}\n`).join(''))
}
