// The size of the code, in the numbers that it is kept small by: npm run counts. With `-- --where`, also the circles of imports and the lines with idioms.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const IDIOMS = /\b(?:nobody|somebody|whoever|in place of)\b/gi
// Folders with one file for each of many equal things.
const MANY_FILES = /\/(?:components|migrations)$/

/**
 * The files of a folder whose names match, with their texts; none that are generated.
 * @param {string} folder
 * @param {RegExp} name
 */
const filesIn = (folder, name) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && name.test(entry.name) && !entry.name.endsWith('.d.ts') && !entry.parentPath.includes('node_modules'))
  .map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return { path: relative(ROOT, path), text: readFileSync(path, 'utf8') }
  })

/** @param {Array<{ text: string }>} files */
const linesOf = (files) => files.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0)

/** The number of tokens of TypeScript, which denser lines do not change. */
const tokensOf = (/** @type {string} */ text) => {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.JSX, text)
  let count = 0
  while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) count++
  return count
}

const src = filesIn('src', /\.(?:tsx?|css|sql)$/)
const code = src.filter(({ path }) => /\.tsx?$/.test(path))
const linted = spawnSync('node_modules/.bin/oxlint', ['-c', 'scripts/lint/import-circles.json', '--format=json', 'src'], { cwd: ROOT, encoding: 'utf8' })
/** @type {string[]} */
const circles = JSON.parse(linted.stdout).diagnostics.map((/** @type {{ filename: string, note: string }} */ { filename, note }) => `${filename}: ${note}`)
// A migration that was released is never changed, its comments included.
const idioms = src.filter(({ path }) => !path.endsWith('.sql')).flatMap(({ path, text }) => text.split('\n').flatMap((line, at) =>
  [...line.matchAll(IDIOMS)].map(([word]) => `${path}:${at + 1}: ${word}`)))
/** @type {Map<string, number>} */
const flat = new Map()
for (const { path } of src) flat.set(dirname(path), (flat.get(dirname(path)) ?? 0) + 1)
const crowded = [...flat].filter(([folder, count]) => count > 30 && !MANY_FILES.test(folder))
/** @param {string} file */
const read = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

/** @type {Array<[what: string, count: number | string, aim: string]>} */
const rows = [
  ['src, lines of TypeScript, CSS and SQL', linesOf(src), '75,400'], // 68,500, and what was added since
  ['src, tokens of TypeScript', code.reduce((sum, { text }) => sum + tokensOf(text), 0), ''],
  ['src, files', src.length, ''],
  ['test, lines of TypeScript and JavaScript', linesOf(filesIn('test', /\.(?:tsx?|mjs)$/)), '42,000'],
  ['scripts, lines of TypeScript, JavaScript and shell', linesOf(filesIn('scripts', /\.(?:ts|mjs|sh)$/)), '4,500'],
  ['settings', Object.keys(read('schemas/config.json').properties).length, '70'],
  ['npm scripts', Object.keys(read('package.json').scripts).length, '15'],
  ['folders with more than 30 flat files', crowded.map(([folder, count]) => `${folder}: ${count}`).join(', ') || 0, '0'],
  ['imports in a circle, type imports included', circles.length, '0'],
  ['nobody, somebody, whoever, in place of', idioms.length, '10']
]
for (const [what, count, aim] of rows) console.log(`${what.padEnd(52)}${count.toLocaleString('en').padStart(10)}${aim && `   at most ${aim}`}`)
if (process.argv.includes('--where')) for (const line of [...circles, ...idioms]) console.log(line)
