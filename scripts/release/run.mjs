/**
 * Makes everything that is published out of the commit that is checked out, into one folder: `npm run release`, or
 * `npm run release -- FOLDER` (release/ without it). Needs no network. Refuses changed files, and packages that are not those of the lockfile.
 * The same commit gives the same files, byte for byte.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { billOfMaterials } from './bill-of-materials.mjs'
import { notices } from './notices.mjs'
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

const sha256 = (/** @type {string} */ file) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Builds the commit in `sources`, an empty folder where packages are found, and writes all that is published into the folder `to`. */
const make = (/** @type {string} */ sources, /** @type {string} */ to) => {
  const time = new Date(Number(git('log', '-1', '--format=%ct')) * 1000)
  // Whatever the build dates has the time of the commit.
  const env = { ...process.env, SOURCE_DATE_EPOCH: `${time.getTime() / 1000}` }
  /**
   * @param {string} program
   * @param {...string} args
   */
  const run = (program, ...args) =>
    execFileSync(program, args, { cwd: sources, env, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'inherit'] })
  const read = (/** @type {string} */ file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
  /**
   * @param {string} file
   * @param {object | string} content
   */
  const write = (file, content) => writeFileSync(join(to, file), typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`)
  const { name, version, mcpName } = read('package.json')

  // What .dockerignore lets through: all is left out, then names are let in.
  const kept = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  const image = join(to, `${name}-${version}-image.tar.gz`)
  git('archive', '--format=tar.gz', `--output=${image}`, 'HEAD', 'Dockerfile', '.dockerignore', ...kept)
  // Of what the image is built of, and of nothing else.
  run('tar', '-xzf', image)
  run(process.execPath, 'scripts/build.mjs')
  run('sh', '-c', `git -C '${root}' archive HEAD | tar -x`)
  const [{ filename }] = JSON.parse(run('npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', to))
  const engine = run(process.execPath, 'scripts/engine/pack.mjs', to).trim().split('\n').at(-1) ?? ''

  const entry = read('scripts/registry/server.json')
  write('server.json', {
    ...entry, name: mcpName, version, packages: entry.packages.map((/** @type {object} */ one) => ({ ...one, version, fileSha256: sha256(join(to, filename)) }))
  })
  write('sbom.cdx.json', billOfMaterials(sources, time))
  write('NOTICES.txt', notices(sources, run('tar', '-xzOf', engine, 'package/THIRD-PARTY-LICENSES.txt').trim()))
  const files = readdirSync(to).sort()
  write('SHA256SUMS', files.map((file) => `${sha256(join(to, file))}  ${file}\n`).join(''))
}

// Below the project, so that programs find its packages, and ignored by git.
mkdirSync(join(root, '.tap'), { recursive: true })
const work = mkdtempSync(join(root, '.tap/release-'))
try {
  const sources = join(work, 'exploration-mcp')
  const made = join(work, 'made')
  for (const folder of [sources, made]) mkdirSync(folder)
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'))
  make(sources, made)
  // Whole or not at all.
  rmSync(target, { recursive: true, force: true })
  renameSync(made, target)
} finally {
  rmSync(work, { recursive: true, force: true })
}
console.log(readdirSync(target).sort().map((file) => relative(process.cwd(), join(target, file))).join('\n'))
