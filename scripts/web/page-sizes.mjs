// The bytes of each page, as the manifest of the build and the compressed files tell them.
import { existsSync, readFileSync, statSync } from 'node:fs'

const PUBLIC = new URL('../../dist/web/public/', import.meta.url)

/** Bytes with gzip: JavaScript and CSS of a page, the same with the font, and what the plan needs more than the first page. */
export const budgets = { page: 40_000, withFont: 75_000, plan: 15_000 }

/** @typedef {{ file: string, css?: string[], imports?: string[], assets?: string[] }} Chunk */

/** @param {string} file */
const compressed = (file) => statSync(new URL(existsSync(new URL(`${file}.gz`, PUBLIC)) ? `${file}.gz` : file, PUBLIC)).size

/** @returns {Array<{ name: string, code: number, withFont: number, own: number }>} `own` is what a page adds to the shell */
export const pageSizes = () => {
  /** @type {Record<string, Chunk>} */
  const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', PUBLIC), 'utf8'))
  const shell = readFileSync(new URL('index.html', PUBLIC), 'utf8')
  const linked = [...shell.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, file = '']) => file)

  /** @param {string} name @param {Set<string>} files */
  const collect = (name, files = new Set()) => {
    const chunk = manifest[name]
    if (!chunk || files.has(chunk.file)) return files
    files.add(chunk.file)
    for (const file of chunk.css ?? []) files.add(file)
    for (const imported of chunk.imports ?? []) collect(imported, files)
    return files
  }
  const sum = (/** @type {Iterable<string>} */ files) => [...files].reduce((bytes, file) => bytes + compressed(file), 0)
  const first = new Set([...collect('index.html'), ...linked.filter((file) => /\.(?:js|css)$/.test(file))])
  const font = sum(linked.filter((file) => file.endsWith('.woff2')))
  return Object.keys(manifest).filter((name) => /^pages\/[\w-]+\.tsx$/.test(name)).sort().map((name) => {
    const own = sum([...collect(name)].filter((file) => !first.has(file)))
    return { name: name.slice('pages/'.length, -'.tsx'.length), code: sum(first) + own, withFont: sum(first) + own + font, own }
  })
}
