/** The public surface of `exploration-mcp/engine`: each export with its documentation and its declaration, as the build wrote it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../test/compile.mjs'

export interface SurfaceExport {
  /** The comment above the group of exports in src/engine/engine.ts. */
  group: string
  name: string
  /** The docstring, without its stars. */
  documentation: string
  /** The declaration without its own docstring; comments of its members are kept. */
  declaration: string
}

const parse = (path: string): ts.SourceFile => ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.ES2023, true)

const nameOf = (statement: ts.Statement): string | undefined =>
  (ts.isVariableStatement(statement) ? statement.declarationList.declarations[0] : statement as ts.DeclarationStatement)?.name?.getText()

const documentationOf = (statement: ts.Statement): string => {
  const comments = ts.getLeadingCommentRanges(statement.getFullText(), 0) ?? []
  const last = comments.map(({ pos, end }) => statement.getFullText().slice(pos, end)).findLast((text) => text.startsWith('/**'))
  return (last ?? '').replace(/^\/\*\*\s?|\s*\*\/$/g, '').replaceAll(/^\s*\* ?/gm, '').trim()
}

/**
 * Reads the exports in the order of src/engine/engine.ts. `npm run build` comes first.
 * @throws {Error} when an export has no declaration
 */
export const engineSurface = (): SurfaceExport[] => {
  const source = parse('src/engine/engine.ts')
  let group = 'The server'
  return source.statements.filter(ts.isExportDeclaration).flatMap((statement) => {
    const comments = ts.getLeadingCommentRanges(source.text, statement.getFullStart()) ?? []
    const heading = comments.map(({ pos, end }) => source.text.slice(pos, end)).findLast((text) => text.startsWith('// '))
    if (heading !== undefined) group = heading.slice(3)
    const specifier = statement.moduleSpecifier
    const file = specifier && ts.isStringLiteral(specifier) ? parse(join('dist/engine', specifier.text.replace(/\.js$/, '.d.ts'))) : undefined
    const names = statement.exportClause && ts.isNamedExports(statement.exportClause) ? statement.exportClause.elements : []
    return names.map(({ name: { text: name } }) => {
      const declared = file?.statements.find((candidate) => nameOf(candidate) === name)
      if (!declared) throw new Error(`src/engine/engine.ts exports ${name}, which has no declaration.`)
      return {
        group,
        name,
        documentation: documentationOf(declared),
        declaration: declared.getText().replace(/^export (?:declare )?/, '').replaceAll(/^( {4})+/gm, (indent) => indent.slice(indent.length / 2))
      }
    })
  })
}

/** The declaration without comments and line breaks: what a program that uses the export can notice. */
export const signatureOf = ({ declaration }: SurfaceExport): string =>
  declaration.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/\s+/g, ' ').trim()
