// Counts of src/, for reviews: `npm run counts`. With `-- --names` also the type names that are defined twice, with
// `-- --where` the place of each cast, wide line, undocumented function and file over 250 lines.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const SRC = new URL('../src/', import.meta.url).pathname
const MAX_COLUMNS = 120
const MAX_LINES = 250
// One entry per agent: it grows with the agents, and has no second idea.
const LONG_TABLES = ['coding-agents/registry/known-agents.ts']

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts')).sort()
/** @type {number[]} */
const sizes = []
/** @type {Map<string, string[]>} */
const types = new Map()
/** @type {string[]} */
const places = []
const sums = { longFiles: 0, lines: 0, long: 0, casts: 0, nonNull: 0, functions: 0, documented: 0 }

/**
 * Whether a statement exports a function.
 * @param {ts.Statement} statement
 */
const exportsFunction = (statement) =>
  ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) &&
  (ts.isFunctionDeclaration(statement) || (ts.isVariableStatement(statement) &&
    statement.declarationList.declarations.some(({ initializer }) =>
      initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)))))

/**
 * Whether a docstring stands directly above: the head comment of a file has an empty line below it.
 * @param {ts.Statement} statement
 * @param {string} text
 * @param {ts.SourceFile} source
 */
const isDocumented = (statement, text, source) => {
  const last = ts.getLeadingCommentRanges(text, statement.pos)?.at(-1)
  return last !== undefined && text.startsWith('/**', last.pos) &&
    !/\n\s*\n/.test(text.slice(last.end, statement.getStart(source)))
}

for (const file of files) {
  const text = readFileSync(join(SRC, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lines = text.trimEnd().split('\n')
  sizes.push(lines.length)
  sums.lines += lines.length
  const place = (/** @type {string} */ what, /** @type {number} */ line) => places.push(`${what}: src/${file}:${line}`)
  if (lines.length > MAX_LINES && !LONG_TABLES.includes(file)) {
    sums.longFiles++
    place('long file', lines.length)
  }
  let isTable = false
  for (const [at, line] of lines.entries()) {
    // Tables of data with one entry per line say that they are wide.
    if (/eslint-(?:disable|enable) .*max-len/.test(line)) isTable = line.includes('eslint-disable')
    if (isTable || line.length <= MAX_COLUMNS) continue
    sums.long++
    place('wide line', at + 1)
  }
  /** @param {ts.Node} node */
  const lineOf = (node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isAsExpression(node) && node.type.getText(source) !== 'const') {
      sums.casts++
      place('cast', lineOf(node))
    }
    if (ts.isNonNullExpression(node)) sums.nonNull++
    ts.forEachChild(node, visit)
  }
  visit(source)
  for (const statement of source.statements) {
    const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) ||
      ts.isClassDeclaration(statement)
    if (isType && statement.name) {
      types.set(statement.name.text, [...types.get(statement.name.text) ?? [], file])
    }
    if (!exportsFunction(statement)) continue
    sums.functions++
    if (isDocumented(statement, text, source)) sums.documented++
    else place('undocumented', lineOf(statement))
  }
}

/** @param {number} part @param {number} whole */
const percent = (part, whole) => `${(100 * part / whole).toFixed(1)} %`
const homonyms = [...types].filter(([, where]) => new Set(where).size > 1)
sizes.sort((one, other) => one - other)
console.log(`files: ${files.length}, lines: ${sums.lines}, median: ${sizes[Math.floor(sizes.length / 2)]} lines`)
console.log(`files over ${MAX_LINES} lines, without tables: ${sums.longFiles}`)
console.log(`type names: ${types.size}, in two or more files: ${homonyms.length} (${percent(homonyms.length, types.size)})`)
console.log(`casts: ${sums.casts}, non-null assertions: ${sums.nonNull}`)
console.log(`lines over ${MAX_COLUMNS} columns, without tables: ${sums.long} (${percent(sums.long, sums.lines)})`)
console.log(`exported functions: ${sums.functions}, with a docstring: ${percent(sums.documented, sums.functions)}`)
if (process.argv.includes('--names')) for (const [name, where] of homonyms) console.log(`${name}: ${where.join(' ')}`)
if (process.argv.includes('--where')) for (const place of places.sort()) console.log(place)
