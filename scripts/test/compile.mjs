/**
 * Compiles src/, test/ and scripts/ into .test-build/, so that no process of the tests loads a compiler. The folder mirrors the project:
 * from a compiled module every other file has the same relative path. Only changed files are compiled again. Types are not checked here.
 */
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const BUILD = join(ROOT, '.test-build/')

const COMPILED = ['src', 'test', 'scripts']
// Large, and nothing in them is imported by a test.
const EXCLUDED = /(?:^|\/)(?:node_modules|\.venv)(?:\/|$)/
const UNLINKED = new Set([...COMPILED, 'dist', 'node_modules', '.git', '.test-build', '.tap', '.data'])
const RETROFITTED_WORDS = 'src/search/embedders/word-vectors/retrofitted.bin'
const STATE = join(BUILD, 'state.json')

/** @typedef {{ key: string, files: Record<string, string> }} State */

/** Answers how many files were compiled or linked. */
export const compile = async () => {
  const key = `${readVersion('node_modules/vite')} ${statSync(fileURLToPath(import.meta.url)).mtimeMs}`
  const files = Object.fromEntries(listFiles().map((path) => [path, fingerprint(path)]))
  const before = readState()
  const changed = Object.keys(files).filter((path) => before.key !== key || before.files[path] !== files[path])
  const gone = Object.keys(before.files).filter((path) => !(path in files))
  for (const path of gone) for (const output of outputs(path)) rmSync(output, { force: true })
  if (changed.some(isTypeScript)) {
    // A hundredth of the time that TypeScript's own compiler takes.
    const { transformWithOxc } = await import('vite')
    for (const path of changed.filter(isTypeScript)) await transpile(transformWithOxc, path)
  }
  // The originals as well: data, SQL, and tests that read sources.
  for (const path of changed) {
    // The engine serves no links as files of a skill.
    if (path.includes('/skills/') && !isTypeScript(path)) replace(BUILD + path, readFileSync(join(ROOT, path), 'utf8'))
    else link(path)
  }
  for (const name of readdirSync(ROOT)) if (!UNLINKED.has(name)) link(name)
  // What a test starts as dist/cli.js is compiled from the sources as they are.
  link('dist', `${BUILD}src`)
  // The pages are what the last build made of them.
  link('src/web/public', join(ROOT, 'dist/web/public'))
  link('src/web/mcp-app', join(ROOT, 'dist/web/mcp-app'))
  // So are the images of the embedded database; migrations that are newer run on them.
  link('src/db/images', join(ROOT, 'dist/db/images'))
  // And the words of the thesaurus, which each start would retrofit by itself for half a second. They name the version that they are of.
  link(RETROFITTED_WORDS, join(ROOT, 'dist', RETROFITTED_WORDS.slice('src/'.length)))
  // Tests import tap from here, all other packages from the project.
  replace(join(BUILD, 'node_modules/tap/package.json'), JSON.stringify({ name: 'tap', type: 'module', exports: './index.js' }))
  replace(join(BUILD, 'node_modules/tap/index.js'), `export { default } from '${new URL('current-file.mjs', import.meta.url)}'\n`)
  if (changed.length + gone.length > 0) replace(STATE, JSON.stringify({ key, files }))
  return changed.length
}

/** The compiled module of a test's path, however it was named: `test/cli.test.ts`, `./test/cli.test.ts`, … */
export const compiledPath = (/** @type {string} */ path) => join(BUILD, path).replace(/\.tsx?$/, '.js')

/** @param {string} folder */
const readVersion = (folder) => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).version

const listFiles = () => COMPILED.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .filter((path) => !EXCLUDED.test(path)))

/** @param {string} path */
const fingerprint = (path) => {
  const { mtimeMs, size } = lstatSync(join(ROOT, path))
  return `${mtimeMs} ${size}`
}

/** @returns {State} */
const readState = () => {
  try {
    return JSON.parse(readFileSync(STATE, 'utf8'))
  } catch {
    // Whatever is there is of no one knows which sources.
    for (const folder of COMPILED) rmSync(BUILD + folder, { recursive: true, force: true })
    return { key: '', files: {} }
  }
}

/** @param {string} path */
const isTypeScript = (path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts')

/** @param {string} path */
const outputs = (path) => [BUILD + path, ...isTypeScript(path) ? [compiledPath(path), `${compiledPath(path)}.map`] : []]

const transpile = async (/** @type {typeof import('vite').transformWithOxc} */ transform, /** @type {string} */ path) => {
  const { code, map } = await transform(withoutStyles(path), join(ROOT, path), {
    target: 'es2023',
    sourcemap: true,
    tsconfig: false,
    typescript: { onlyRemoveTypeImports: true },
    jsx: { runtime: 'automatic', importSource: 'preact' }
  })
  // Stack traces name the original.
  const sourceMap = { ...map, sourceRoot: '', sources: [pathToFileURL(join(ROOT, path)).href] }
  replace(compiledPath(path), `${code}\n//# sourceMappingURL=${basename(compiledPath(path))}.map\n`)
  replace(`${compiledPath(path)}.map`, JSON.stringify(sourceMap))
}

/** Node imports no styles; components of pages do. The lines stay, for the positions in stack traces. */
const withoutStyles = (/** @type {string} */ path) => readFileSync(join(ROOT, path), 'utf8').replaceAll(/^import '[^']+\.css'$/gm, '')

/**
 * @param {string} path
 * @param {string} target
 */
const link = (path, target = join(ROOT, path)) => {
  try {
    mkdirSync(dirname(BUILD + path), { recursive: true })
    symlinkSync(target, BUILD + path)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    if (readlinkSync(BUILD + path) === target) return
    rmSync(BUILD + path)
    link(path, target)
  }
}

/** Whole or not at all: another process may be reading the file. */
const replace = (/** @type {string} */ file, /** @type {string} */ text) => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
}
