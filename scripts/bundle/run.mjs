// Bundles the program into dist/program, as loading a thousand small files takes longer than running them: our modules and the packages that
// only development installs. What is imported lazily has files of its own.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { bundledPackages, licencesText, PAGE_MODULES } from './bundled-packages.mjs'
import { moduleUrls } from './module-urls.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const dist = join(root, 'dist')
/** Modules that Node is started with, that threads run, or that others import. Each keeps its place in dist/, as a file of one line. */
const ENTRIES = ['cli', 'engine/engine', 'db/embedded/pglite-worker', 'search/search-worker', 'administration/views/record-view-worker',
  'importers/convert-worker']

const { dependencies, peerDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
/** What is installed beside the program, and what the operator may install. All other packages go into the bundle. */
const installed = Object.keys({ ...dependencies, ...peerDependencies })
/** Whether an import stays an import. */
const isExternal = (/** @type {string} */ id) => id.startsWith('node:') || installed.some((name) => id === name || id.startsWith(`${name}/`))

const bundle = await rolldown({
  input: Object.fromEntries(ENTRIES.map((entry) => [basename(entry), join(root, 'src', `${entry}.ts`)])),
  platform: 'node',
  external: isExternal,
  plugins: [moduleUrls("new URL('../', import.meta.url)")],
  // Its main module is a UMD wrapper, which hides from a bundler what it requires. Names of files are of paths, which a link would lead away from.
  resolve: { symlinks: false, alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  onLog (level, { message }) {
    if (level === 'warn') throw new Error(message)
  }
})
await rm(join(dist, 'program'), { recursive: true, force: true })
const { output } = await bundle.write({
  dir: join(dist, 'program'),
  format: 'esm',
  // For `node --enable-source-maps`; they are left out of what is published.
  sourcemap: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  // One character outside Latin-1 makes V8 hold the source of a whole file in two bytes a character.
  charset: 'ascii',
  comments: { legal: false, annotation: false, jsdoc: false }
})
await bundle.close()

for (const entry of ENTRIES) {
  const file = join(dist, `${entry}.js`)
  const line = `export * from '${'../'.repeat(entry.split('/').length - 1) || './'}program/${basename(entry)}.js'\n`
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, entry === 'cli' ? `#!/usr/bin/env node\n${line}` : line)
}

const modules = output.flatMap((chunk) => chunk.type === 'chunk' ? chunk.moduleIds : [])
const packages = bundledPackages([...modules, ...PAGE_MODULES])
await writeFile(join(dist, 'THIRD-PARTY-LICENSES.txt'), licencesText(packages))
// Read by `node scripts/sbom.mjs` and `node scripts/audit-packages.mjs`.
await writeFile(join(dist, 'bundled-packages.json'), `${JSON.stringify(packages.map(({ text, ...one }) => one), null, 2)}\n`)
