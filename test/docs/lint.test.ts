/** The linter on planted faults: each line of a file that ends with `// RULE` breaks that rule, and no other line breaks one. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { ROOT } from '../helpers/root.js'

interface Report { diagnostics: Array<{ code?: string, filename: string, labels: Array<{ span: { line: number } }> }> }

const run = promisify(execFile)

const TYPED = `import t from 'tap'
declare const work: () => Promise<number>
declare const list: ReadonlyArray<Promise<void>>
declare const kind: 'a' | 'b' | 'c'
work() // no-floating-promises
list.map(async () => {}) // no-floating-promises
t.test('a test of tap reports by itself', async () => {})
if (work()) console.log(1) // no-misused-promises
export const given: () => void = async () => {} // no-misused-promises
await kind // await-thenable
switch (kind) { // switch-exhaustiveness-check
  case 'a': break
}
`

const RULES = `const loose = 1 == 2 // eqeqeq
export const snake_case = loose // camelcase
export const double = "quoted" // quotes
const unused = 2 // no-unused-vars
export const long = '${'x'.repeat(100)}' // max-len
`

const ZONES: Record<string, string> = {
  'src/engine/zone.ts': `export { a } from '../lib/a.js'
export { b } from './deep/b.js'
export { c } from '../http/c.js' // import-zones
export type { D } from '../planning/d.js' // import-zones
export { e } from '../config/config.js' // import-zones
export const f = await import('../cli.js') // import-zones
export { g } from '../unknown/g.js' // import-zones
`,
  'src/unknown/zone.ts': `export { a } from '../lib/a.js' // import-zones
`,
  'src/db/one/two/three/four/five/zone.ts': `export type { Port } from '../../../../../../search/port.js'
export { b } from '../../../../../../search/b.js' // import-zones
export type { C } from '../../../../../../cluster/c.js' // import-zones
`,
  'src/client-testing/zone.ts': `export { a } from '../engine/engine.js'
export { b } from '../engine/observer/b.js' // import-zones
`,
  'src/web/app/pages/zone.tsx': `import type { A } from '../../api/a.js'
import { c } from '../../page-paths.js'
import { d } from '../../../lib/d.js' // import-zones
import { readFile } from 'node:fs' // import-zones

export const Page = ({ a }: { a: A }) => <p class={c}>{[a, d, readFile]}</p>
export const Image = () => <img src='/a.png' /> // alt-text
`
}

const FILES: Record<string, string> = {
  'test/typed.ts': TYPED,
  'src/web/app/typed.tsx': `declare const work: () => Promise<void>
export const Bad = () => <button type='button' onClick={work}>Go</button> // no-misused-promises
export const Good = () => <button type='button' onClick={() => { void work() }}>Go</button>
`,
  'src/access/rules.ts': RULES,
  ...ZONES
}

const expected = Object.entries(FILES).flatMap(([file, text]) => text.split('\n').flatMap((line, index) => {
  const rule = / \/\/ ([\w-]+)$/.exec(line)?.[1]
  return rule === undefined ? [] : [`${file}:${index + 1} ${rule}`]
})).sort()

t.test('the linter reports every planted fault, and nothing else', async (t) => {
  const tree: Record<string, string> = {
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'es2023', lib: ['es2023', 'dom'], module: 'nodenext', strict: true, types: ['node'], jsx: 'react-jsx', jsxImportSource: 'preact'
      },
      include: ['.']
    }),
    'package.json': '{ "type": "module" }',
    '.oxlint.config.mjs': `export { default } from ${JSON.stringify(pathToFileURL(join(ROOT, '.oxlint.config.mjs')).href)}\n`,
    ...FILES
  }
  // Outside of the checkout, whose .gitignore the linter obeys.
  const folder = await mkdtemp(join(tmpdir(), 'lint-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(tree)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir')

  const args = [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '--config=.oxlint.config.mjs', '--format=json', '--threads=1', 'src', 'test']
  const { stdout } = await run(process.execPath, args, { cwd: folder, env: { ...process.env, GOMAXPROCS: '1' } })
    .catch((error: { stdout: string }) => error)
  const { diagnostics } = JSON.parse(stdout) as Report
  const found = diagnostics.map(({ code, filename, labels }) =>
    `${filename.replaceAll('\\', '/')}:${labels[0]?.span.line} ${code?.replace(/^.*\((.*)\)$/, '$1')}`)
  t.strictSame([...new Set(found)].sort(), expected)
})
