// The package of the engine, in an empty folder beside nothing but what it declares: what is in it, and that its examples run.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { installEngine } from '../helpers/engine-package.mjs'
import { ROOT } from '../helpers/root.js'

interface Lock { packages: Record<string, { dependencies?: Record<string, string> }> }

const engine = await installEngine()
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

t.test('the whole product exports the same', async (t) => {
  const namesOf = (name: string, cwd: string) => {
    const script = `console.log(Object.keys(await import('${name}')).join())`
    return execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], { cwd, encoding: 'utf8' })
  }
  const names = namesOf('exploration-mcp-engine', engine.folder)
  t.match(names, /\bcreateMcpPlugin\b.*\btestClient\b/)
  t.equal(namesOf('exploration-mcp/engine', ROOT), names)
})

t.test('every example and the conformance fixture serve', async (t) => {
  for (const name of [...engine.examples, 'fixture/serve']) {
    const { url, stop } = await engine.start(name)
    const reply = await fetch(url, { method: 'POST' })
    t.match(await reply.json(), { jsonrpc: '2.0', error: {} }, name)
    await stop()
  }
  t.equal(engine.examples.length, 5)
})

t.test('the test of an example passes', async (t) => {
  const { status, stdout } = spawnSync(process.execPath, ['--test', 'dice-server.test.js'], { encoding: 'utf8', cwd: engine.folder })
  t.equal(status, 0, stdout)
  t.match(stdout, /# pass 1/)
})
