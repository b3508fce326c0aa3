/** Lines of test files that say how they are run: `// @waits: REASON`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './compile.mjs'

const MARKERS = {
  'any-node': /^\/\/ @any-node\b/m,
  'no-services': /^\/\/ @no-services\b/m,
  'own-process': /^\/\/ @own-process\b/m,
  waits: /^\/\/ @waits\b/m
}

/**
 * Whether a test file has such a line.
 * @param {string} path from the folder of the project
 * @param {keyof typeof MARKERS} marker
 */
export const hasMarker = (path, marker) => MARKERS[marker].test(readFileSync(join(ROOT, path), 'utf8'))
