// Builds the browser side of the web application into dist/web/public, with a .br and a .gz beside each file that shrinks, and the plan as a
// view in a chat into one self-contained file, dist/web/mcp-app/plan.html.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { forBrowsers } from './vite.config.mjs'
import { oneFile } from './one-file.mjs'
import { bundledPackages, licencesText, PAGE_MODULES } from '../bundle/bundled-packages.mjs'

const COMPRESSED = new Set(['.js', '.css', '.html', '.svg'])
const root = fileURLToPath(new URL('../../', import.meta.url))
const target = join(root, 'dist/web/public')

/** @param {string} path */
const compress = async (path) => {
  const bytes = await readFile(path)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes, quality), promisify(gzip)(bytes, { level: 9 })])
  if (br.length < bytes.length) await writeFile(`${path}.br`, br)
  if (gz.length < bytes.length) await writeFile(`${path}.gz`, gz)
}

await build({ configFile: fileURLToPath(new URL('vite.config.mjs', import.meta.url)) })
await build({
  configFile: false,
  ...forBrowsers({
    from: 'src/web/app/mcp-app/',
    to: 'dist/web/mcp-app/',
    plugins: [oneFile],
    // Only ASCII, so that no host's encoding and no filter of invisible characters changes the program.
    build: { modulePreload: false, rolldownOptions: { output: { codeSplitting: false, charset: 'ascii' } } }
  })
})
const files = await readdir(target, { recursive: true })
await Promise.all(files.filter((file) => COMPRESSED.has(extname(file))).map((file) => compress(join(target, file))))

// Their licences go with what is bundled.
await writeFile(join(target, 'licenses.txt'), licencesText(bundledPackages(PAGE_MODULES)))
