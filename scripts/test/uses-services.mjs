/**
 * Which test files do something else beside PostgreSQL and Valkey: those whose imports lead to a file that reads one of the addresses. A
 * file that takes from such helpers only what needs no database has a line `// @no-services: REASON`.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from './compile.mjs'
import { hasMarker } from './has-marker.mjs'

const READS_ADDRESS = /env\['TEST_(?:DATABASE|VALKEY)_URL'\]/

/**
 * @param {string} path relative to the project
 * @returns {boolean}
 */
export const usesServices = (path) => {
  if (hasMarker(path, 'no-services')) return false
  const seen = new Set([join(ROOT, path)])
  for (const file of seen) {
    const text = readFileSync(file, 'utf8')
    if (READS_ADDRESS.test(text)) return true
    for (const imported of importsOf(file, text)) seen.add(imported)
  }
  return false
}

/**
 * The modules of the tests that a module imports.
 * @param {string} file
 * @param {string} text what is in it
 */
const importsOf = (file, text) => [...text.matchAll(/ from '(\.[^']+)'/g)]
  .map(([, specifier = '']) => resolve(file, '..', specifier.replace(/\.js$/, '.ts')))
  // The program itself imports no helper.
  .filter((imported) => imported.startsWith(join(ROOT, 'test/')) && imported.endsWith('.ts'))
