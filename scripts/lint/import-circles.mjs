/** Circles of imports: files of which each imports the next, type imports included. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/**
 * The imports of each file of a folder.
 * @param {string} folder
 * @returns {Map<string, string[]>} by paths from the folder
 */
const importsOf = (folder) => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path))
  const known = new Set(files)
  const targetsOf = (/** @type {string} */ file) =>
    ts.preProcessFile(readFileSync(join(folder, file), 'utf8'), true, true).importedFiles.flatMap(({ fileName }) => {
      const target = join(dirname(file), fileName).replace(/\.js$/, '')
      return fileName.startsWith('.') ? [`${target}.ts`, `${target}.tsx`].filter((path) => known.has(path)) : []
    })
  return new Map(files.map((file) => [file, targetsOf(file)]))
}

/**
 * The circles among the files of a folder: groups of files that reach each other by their imports (Tarjan's algorithm).
 * @param {string} folder
 * @returns {string[][]} paths from the folder
 */
export const importCircles = (folder) => {
  const imports = importsOf(folder)
  /** @type {Map<string, { index: number, low: number, open: boolean }>} */
  const seen = new Map()
  /** @type {string[]} */
  const stack = []
  /** @type {string[][]} */
  const circles = []
  const visit = (/** @type {string} */ file) => {
    const own = { index: seen.size, low: seen.size, open: true }
    seen.set(file, own)
    stack.push(file)
    for (const next of imports.get(file) ?? []) {
      const other = seen.get(next) ?? visit(next)
      if (other.open) own.low = Math.min(own.low, other.low)
    }
    if (own.low < own.index) return own
    const circle = stack.splice(stack.indexOf(file))
    for (const one of circle) Object.assign(seen.get(one) ?? {}, { open: false })
    if (circle.length > 1) circles.push(circle.sort())
    return own
  }
  for (const file of imports.keys()) if (!seen.has(file)) visit(file)
  return circles
}
