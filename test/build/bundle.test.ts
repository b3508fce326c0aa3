// The program as it is published: dist/ in a folder that has only the packages which an installation has. `npm run build` comes first.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'
import { ROOT } from '../helpers/root.js'
import { callTool, startServer } from '../helpers/server-process.js'

interface Package { name: string, version: string, license: string }

const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, Record<string, string>>
const bundled = JSON.parse(readFileSync(join(ROOT, 'dist/bundled-packages.json'), 'utf8')) as Package[]

const installation = mkdtempSync(join(tmpdir(), 'exploration-mcp-installed-'))
t.teardown(() => rmSync(installation, { recursive: true, force: true }))
for (const part of ['dist', 'schemas', 'package.json']) cpSync(join(ROOT, part), join(installation, part), { recursive: true })
for (const name of Object.keys(dependencies!)) {
  const place = join(installation, 'node_modules', name)
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules', name), place, 'dir')
}

/** Packages that the modules of the pages import. */
const importsOfPages = (): Set<string> => {
  const app = join(ROOT, 'src/web/app')
  const sources = (readdirSync(app, { recursive: true }) as string[]).filter((file) => /\.tsx?$/.test(file)).map((file) => readFileSync(join(app, file), 'utf8'))
  return new Set(sources.flatMap((source) => [...source.matchAll(/^import (?!type).* from '((?:@[^/']+\/)?[^./'#][^/']*)/gm)].map(([, name]) => name!)))
}

t.test('every file of the program finds what it imports; it serves, with its threads, its data and its pages', async (t) => {
  // One runs a command, so it is the last; the other is the server's thread of its database.
  const files = readdirSync(join(installation, 'dist/program')).filter((file) => /(?<!^cli|^pglite-worker)\.js$/.test(file))
  t.ok(files.length > 20, 'what is imported lazily has files of its own')
  const program = join(installation, 'all.mjs')
  writeFileSync(program, [...files, 'cli.js'].map((file) => `import './dist/program/${file}'\n`).join(''))
  const { endpoint, key = '', stop } = await startServer(t, program, ['--data', join(installation, 'data')], {
    HOME: join(installation, 'home'), LOG_LEVEL: 'warn'
  })
  t.match(await callTool(endpoint, key, 'find_explorations', { query: 'payment' }), { status: 200, content: { explorations: [{ id: String }] } })
  t.match(await (await fetch(new URL('/', endpoint))).text(), '<!doctype html>')
  t.same(await stop(), { code: 0, err: '' })
})

t.test('the licences of what is bundled go with it', async (t) => {
  const licences = readFileSync(join(installation, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const { name, version, license } of bundled) {
    t.ok(licences.includes(`${name} ${version} (${license})`), name)
    t.ok(dependencies![name] === undefined, `${name} is not installed a second time`)
  }
  const names = new Set(bundled.map(({ name }) => name))
  for (const name of ['pg', 'undici', 'markdown-it', 'tar', '@fontsource-variable/geist', ...importsOfPages()]) t.ok(names.has(name) && devDependencies![name] !== undefined, name)
})
