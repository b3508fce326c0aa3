// The package of the engine, in an empty folder beside nothing but what it declares: what is in it, and that its examples run. In
// `npm run interop` other people's clients talk to them, and the compiler looks at their types.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import * as whole from '../../src/engine/engine.js'
import { installEngine } from '../helpers/engine-package.mjs'
import { ROOT } from '../helpers/root.js'

interface Lock { packages: Record<string, { dependencies?: Record<string, string> }> }

const engine = await installEngine({ check: false })
t.teardown(() => engine.remove())
const installed = join(engine.folder, 'node_modules/exploration-mcp-engine')
const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, Record<string, string>>
const readme = readFileSync(join(installed, 'README.md'), 'utf8')

t.test('it is small, and holds nothing of the product', async (t) => {
  const files = execFileSync('tar', ['-tzf', engine.tarball], { encoding: 'utf8' }).trim().split('\n')
  t.ok(statSync(engine.tarball).size <= 1_000_000)
  for (const part of ['README.md', 'LICENSE', 'THIRD-PARTY-LICENSES.txt', 'types/engine/engine.d.ts', 'examples/dice-server.ts']) {
    t.ok(files.includes(`package/${part}`), part)
  }
  t.same(files.filter((file) => !/^package\/(?:lib\/|types\/(?:engine|lib)\/|examples\/|[A-Z-]+\.(?:md|txt)$|LICENSE$|package\.json$)/.test(file)), [])
  const code = files.filter((file) => file.startsWith('package/lib/')).map((file) => readFileSync(join(installed, file.slice(8)), 'utf8')).join('')
  t.notMatch(code, /pglite|wordnet|preact|pg-vector/i)
})

t.test('Fastify is a peer, and installs the other dependencies anyway, or the README explains them', async (t) => {
  t.same(Object.keys(manifest['peerDependencies']!), ['fastify'])
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
  const ofFastify = new Set(['fastify'])
  for (const name of ofFastify) {
    for (const needed of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) ofFastify.add(needed)
  }
  const others = Object.keys(manifest['dependencies']!).filter((name) => !ofFastify.has(name))
  t.same(others.filter((name) => !readme.includes(`- \`${name}\` is`)), [])
  t.same(others, ['json-schema-to-ts'], 'only types')
})

t.test('it exports what the whole product does, and every example and the conformance fixture serve, in one process', async (t) => {
  const names = [...engine.examples, 'fixture/serve']
  t.equal(names.length, 6)
  const script = `console.log(Object.keys(await import('exploration-mcp-engine')).join())
    for (const name of ${JSON.stringify(names)}) await import('./' + name + '.js')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: engine.folder, env: { ...process.env, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit']
  })
  t.teardown(() => child.kill())
  const lines = createInterface({ input: child.stdout })
  const [exported] = await once(lines, 'line') as [string]
  t.same(exported.split(','), Object.keys(whole))
  let serving = 0
  for await (const line of lines) {
    const [, address] = /listening at (http:[^\s"]+)/.exec(line) ?? []
    if (address === undefined) continue
    const reply = await fetch(`${address}/mcp`, { method: 'POST' })
    t.match(await reply.json(), { jsonrpc: '2.0', error: {} }, `${names[serving]}`)
    if (++serving === names.length) break
  }
  t.equal(serving, names.length)
})

t.test('the test of an example passes', async (t) => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  t.match(execFileSync(process.execPath, ['dice-server.test.js'], { encoding: 'utf8', cwd: engine.folder, env }), /# pass 1/)
})
