// The page about servers of your own shows the files that are tested, letter by letter.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../helpers/root.js'

const FOLDER = join(ROOT, 'docs/how-to/build-your-own-server')
const page = readFileSync(`${FOLDER}.md`, 'utf8')
const blocks = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, text]) => text)
const files = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }))

t.same(blocks.toSorted(), files.map(({ text }) => text).toSorted())
const lines = Object.fromEntries(files.map(({ name, text }) => [name, text.trimEnd().split('\n').length]))
const linesOf = (...names: string[]): number => names.reduce((sum, name) => sum + (lines[name] ?? Infinity), 0)
t.ok(linesOf('dice-server.ts', 'roll-dice.ts') <= 30, 'a complete server has at most 30 lines')
t.ok(linesOf('dice-server.test.ts') <= 14, 'a test of it has at most 14 lines')
