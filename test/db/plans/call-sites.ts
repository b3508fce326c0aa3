/** The places of src/ that send statements through the database port: all of them, found in the text, and the one that is sending now. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const SOURCE = fileURLToPath(new URL('../../../src/', import.meta.url))

// What is behind the port, or beside it on a connection of its own: connecting, transactions, locks, the name of the caller.
const BEHIND = /^(?:db\/(?:(?:postgres\/postgres|embedded\/pglite)(?:-[a-z]+)*|planning\/sql-store)|cluster\/replica-lock)\.ts$/

/** Such as `db/sql-plans.ts:40`. */
export const callSites = (): string[] => readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !BEHIND.test(file))
  .flatMap((file) => callsIn(ts.createSourceFile(file, readFileSync(SOURCE + file, 'utf8'), ts.ScriptTarget.Latest, true)))

const callsIn = (file: ts.SourceFile): string[] => {
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'query') {
      found.add(`${file.fileName}:${file.getLineAndCharacterOfPosition(node.expression.name.getStart()).line + 1}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return [...found]
}

/** Of anyone who called the function that asks; undefined for a test. */
export const callSite = (): string | undefined => {
  const [, , , ...frames] = new Error().stack!.split('\n')
  const caller = frames.find((frame) => !frame.includes('sql-store')) ?? ''
  return /\/src\/(.+\.ts:\d+):\d+\)?$/.exec(caller)?.[1]
}
