/**
 * Packs the engine as a package of its own: `node scripts/engine/pack.mjs`, or `node scripts/engine/pack.mjs FOLDER` for another folder than the project's.
 * Needs no built program. Its last line is the path of the tarball.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { bundledPackages, licencesText } from '../bundle/bundled-packages.mjs'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const EXAMPLES = 'docs/how-to/build-your-own-server'
const PEER = 'fastify'
/** Its README explains each that Fastify does not install anyway. All else that the engine uses is bundled. */
const DEPENDENCIES = ['ajv', 'json-schema-to-ts']

const { version, license, engines, dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
/** @param {string} name */
const compatible = (name) => [name, `^${dependencies[name]}`]

const manifest = {
  name: 'exploration-mcp-engine',
  version,
  description: 'A Model Context Protocol server as a Fastify plugin: every revision from 2024-11-05 to 2026-07-28',
  keywords: ['mcp', 'model-context-protocol', 'fastify', 'fastify-plugin'],
  license,
  type: 'module',
  exports: {
    '.': { types: './types/engine/engine.d.ts', default: './lib/engine.js' },
    './package.json': './package.json'
  },
  files: ['lib', 'types', 'examples', 'THIRD-PARTY-LICENSES.txt'],
  engines,
  dependencies: Object.fromEntries(DEPENDENCIES.map(compatible)),
  peerDependencies: Object.fromEntries([compatible(PEER)])
}

/** Writes the engine's modules as few files. */
const bundle = async (/** @type {string} */ folder) => {
  const external = [PEER, ...DEPENDENCIES]
  const bundled = await rolldown({
    input: { engine: join(root, 'src/engine/engine.ts') },
    platform: 'node',
    resolve: { symlinks: false },
    external: (id) => id.startsWith('node:') || external.some((name) => id === name || id.startsWith(`${name}/`)),
    onLog (level, { message }) {
      if (level === 'warn') throw new Error(message)
    }
  })
  const { output } = await bundled.write({ dir: join(folder, 'lib'), format: 'esm', comments: { legal: false, jsdoc: false } })
  await bundled.close()
  const packages = bundledPackages(output.flatMap((chunk) => chunk.type === 'chunk' ? chunk.moduleIds : []))
  await writeFile(join(folder, 'THIRD-PARTY-LICENSES.txt'), licencesText(packages))
}

/** Writes the declarations of all that the engine exports, and of what they need. */
const declare = async (/** @type {string} */ folder) => {
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  await run(process.execPath, [compiler, '-p', join(root, 'src/engine'), '--noCheck', '--outDir', join(folder, 'types')])
}

const folder = await mkdtemp(join(tmpdir(), 'engine-package-'))
try {
  await Promise.all([
    bundle(folder),
    declare(folder),
    cp(join(root, EXAMPLES), join(folder, 'examples'), { recursive: true }),
    cp(join(root, 'LICENSE'), join(folder, 'LICENSE')),
    cp(join(root, 'scripts/engine/README.md'), join(folder, 'README.md')),
    writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  ])
  const destination = resolve(process.argv[2] ?? root)
  await mkdir(destination, { recursive: true })
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', destination], { cwd: folder })
  const [{ filename, size, entryCount }] = JSON.parse(stdout)
  console.log(`${manifest.name} ${version}: ${entryCount} files, ${Math.ceil(size / 1024)} KiB`)
  console.log(join(destination, filename))
} finally {
  await rm(folder, { recursive: true, force: true })
}
