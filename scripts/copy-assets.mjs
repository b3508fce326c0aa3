// Copies what TypeScript leaves behind (SQL, sample data, …) from src/ to dist/.
import { cp, readdir } from 'node:fs/promises'
import { extname } from 'node:path'

const from = new URL('../src/', import.meta.url)
const to = new URL('../dist/', import.meta.url)

const assets = (await readdir(from, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && !['.ts', '.json'].includes(extname(entry.name)))
  .map((entry) => new URL(`file://${entry.parentPath ?? entry.path}/${entry.name}`).pathname.slice(from.pathname.length))
  // The browser side is built by scripts/web/build.mjs.
  .filter((path) => !path.startsWith('web/app/'))

await Promise.all(assets.map((asset) => cp(new URL(asset, from), new URL(asset, to))))
