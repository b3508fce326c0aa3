// Runs a module of TypeScript with what it imports from src/, as if that were compiled into dist/: node scripts/bundle/run-source.mjs FILE
// For steps of the build that use the program: starting a compiler for them takes longer.
import { mkdir, rm } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { moduleUrls } from './module-urls.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('FILE: the module to run')

// Inside the project, as packages are found from there.
const folder = join(root, 'node_modules/.cache/run-source', `${process.pid}`)
await mkdir(folder, { recursive: true })
try {
  const bundle = await rolldown({
    input: resolve(file),
    platform: 'node',
    // Packages stay where they are, as some read files beside their modules.
    external: (id) => !/^[.#]/.test(id) && !isAbsolute(id),
    plugins: [moduleUrls(JSON.stringify(pathToFileURL(join(root, 'dist/')).href))]
  })
  const { output: [{ fileName }] } = await bundle.write({ dir: folder, format: 'esm' })
  await bundle.close()
  await import(pathToFileURL(join(folder, fileName)).href)
} finally {
  await rm(folder, { recursive: true, force: true })
}
