/** Which test files a run is about, by their lines `// @MARKER: REASON` and by what they import. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from './compile.mjs'

const READS_ADDRESS = /env\['TEST_(?:DATABASE|VALKEY)_URL'\]/

/**
 * Whether a test file has such a line.
 * @param {string} path from the folder of the project
 * @param {'any-node' | 'no-services' | 'own-process'} marker
 */
export const hasMarker = (path, marker) => readFileSync(join(ROOT, path), 'utf8').split('\n').some((line) => line.startsWith(`// @${marker}:`))

/**
 * Whether a test file does something else beside PostgreSQL and Valkey: its imports lead to a helper that reads one of the addresses.
 * @param {string} path from the folder of the project
 */
export const usesServices = (path) => {
  if (hasMarker(path, 'no-services')) return false
  const seen = new Set([join(ROOT, path)])
  for (const file of seen) {
    const text = readFileSync(file, 'utf8')
    if (READS_ADDRESS.test(text)) return true
    for (const [, specifier = ''] of text.matchAll(/ from '(\.[^']+)'/g)) {
      const imported = resolve(file, '..', specifier.replace(/\.js$/, '.ts'))
      // The program itself imports no helper.
      if (imported.startsWith(join(ROOT, 'test/')) && imported.endsWith('.ts')) seen.add(imported)
    }
  }
  return false
}
