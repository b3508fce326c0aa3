/** Which test files do something else beside PostgreSQL and Valkey: those whose imports lead to the helpers that read the addresses. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from './compile.mjs'

const HELPERS = ['database', 'valkey'].map((name) => join(ROOT, `test/helpers/${name}.ts`))

/**
 * @param {string} path relative to the project
 * @returns {boolean}
 */
export const usesServices = (path) => {
  const seen = new Set([join(ROOT, path)])
  for (const file of seen) {
    if (HELPERS.includes(file)) return true
    for (const imported of importsOf(file)) seen.add(imported)
  }
  return false
}

/** @param {string} file */
const importsOf = (file) => {
  // The program itself imports no helper.
  if (!file.startsWith(join(ROOT, 'test/')) || !file.endsWith('.ts')) return []
  return [...readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)'/g)]
    .map(([, specifier = '']) => resolve(file, '..', specifier.replace(/\.js$/, '.ts')))
}
