// The program as it is published: dist/ in a folder that has only the packages which an installation has. `npm run build` comes first.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { ROOT } from '../helpers/root.js'

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

t.test('every file of the program finds what it imports', async (t) => {
  // The first would run a command.
  const files = readdirSync(join(installation, 'dist/program')).filter((file) => file.endsWith('.js') && file !== 'cli.js')
  const script = join(installation, 'import-all.mjs')
  writeFileSync(script, `for (const file of ${JSON.stringify(files)}) await import('./dist/program/' + file)\nconsole.log('all')\n`)
  t.equal(execFileSync(process.execPath, ['--no-warnings', script], { encoding: 'utf8' }), 'all\n')
  t.ok(files.length > 20, 'what is imported lazily has files of its own')
})

t.test('it serves, with its threads, its data and its pages', async (t) => {
  const { PATH } = process.env
  const child = spawn(process.execPath, ['--liftoff-only', join(installation, 'dist/cli.js'), 'serve', '--port', '0', '--json', '--data', join(installation, 'data')], {
    env: { PATH, HOME: join(installation, 'home'), LOG_LEVEL: 'warn' }, stdio: ['ignore', 'pipe', 'pipe']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const errors = text(child.stderr)
  const ended = once(child, 'exit')
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(async () => { throw new Error(await errors) })
  ])
  const { endpoint, key } = JSON.parse(line) as { endpoint: string, key: string }

  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'find_explorations'
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'find_explorations',
        arguments: { query: 'payment' },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {}
        }
      }
    })
  })
  t.match(await response.json(), { result: { structuredContent: { explorations: [{ id: String }] } } })
  t.match(await (await fetch(new URL('/', endpoint))).text(), '<!doctype html>')
  child.kill('SIGTERM')
  t.same(await ended, [0, null])
  t.equal(await errors, '')
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
