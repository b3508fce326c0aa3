// `npm run release` in a checkout of its own: what it refuses, what it makes, and that an empty folder runs on it.
import { execFile } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { ROOT } from '../helpers/root.js'
import { callTool, startServer } from '../helpers/server-process.js'
import { faultsOf } from './server-json-schema.js'
import { NO_TOPOLOGY } from './topology.js'

const { name, version, mcpName } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, string>
const run = async (cwd: string, program: string, ...args: string[]) => {
  const { NODE_OPTIONS: _, ...env } = process.env
  return await promisify(execFile)(program, args, { cwd, env, maxBuffer: 2 ** 28 })
}

const emptyFolder = (t: Test): string => {
  const folder = mkdtempSync(join(tmpdir(), 'exploration-mcp-release-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A checkout whose only commit is the working tree. */
const checkout = async (t: Test): Promise<string> => {
  const folder = emptyFolder(t)
  // Without files that are gone.
  await run(ROOT, 'sh', '-c', 'git ls-files -z -co --exclude-standard | tar -c --null --ignore-failed-read -T - | tar -x -C "$0"', folder)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await run(folder, 'git', 'init', '-q')
  await run(folder, 'git', 'add', '-A')
  await run(folder, 'git', '-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-qm', 'All of it')
  return folder
}

t.test('a release', { skip: NO_TOPOLOGY }, async (t) => {
  const folder = await checkout(t)
  const release = join(folder, 'release')
  const make = async () => await run(folder, process.execPath, 'scripts/release/run.mjs')

  appendFileSync(join(folder, 'README.md'), 'One more line.\n')
  await t.rejects(make(), { code: 1, stderr: /^No release was made\.\nA release is made of a commit, and these files differ from it \(git status\):\n M README\.md\n$/ })
  t.notOk(existsSync(release))
  await run(folder, 'git', 'checkout', '-q', 'README.md')
  mkdirSync(release)
  writeFileSync(join(release, 'letter.txt'), 'Not of a release.')
  await t.rejects(make(), { code: 1, stderr: /release has files that are of no release/ })
  rmSync(release, { recursive: true })

  const { stdout } = await make()
  const files = readdirSync(release).sort()
  const expected = [
    'NOTICES.txt', 'SHA256SUMS', `${name}-${version}-image.tar.gz`, `${name}-${version}.tgz`, `${name}-engine-${version}.tgz`, 'sbom.cdx.json', 'server.json'
  ]
  t.strictSame(files, expected.sort())
  t.strictSame(stdout.trim().split('\n'), files.map((file) => join('release', file)))
  t.equal((await run(folder, 'git', 'status', '--porcelain')).stdout, '', 'it leaves nothing else')
  const read = (file: string): string => readFileSync(join(release, file), 'utf8')

  await t.test('checksums', async (t) => {
    const { stdout: checked } = await run(release, 'sha256sum', '-c', 'SHA256SUMS')
    t.strictSame(checked.trim().split('\n'), files.filter((file) => file !== 'SHA256SUMS').map((file) => `${file}: OK`))
  })

  await t.test('the entry for registries is valid, and of this package', async (t) => {
    const entry = JSON.parse(read('server.json')) as { packages: Array<{ fileSha256: string }> }
    t.strictSame(faultsOf(entry), [])
    t.match(entry, { name: mcpName, version, packages: [{ registryType: 'npm', identifier: name, version }] })
    t.ok(read('SHA256SUMS').includes(`${entry.packages[0]?.fileSha256}  ${name}-${version}.tgz\n`))
  })

  await t.test('all that is inside is listed, with its licence', async (t) => {
    const { components, metadata } = JSON.parse(read('sbom.cdx.json')) as { components: Array<{ name: string }>, metadata: { component: object } }
    t.match(metadata.component, { name, version })
    const notices = read('NOTICES.txt')
    for (const inside of ['pg', 'preact', 'geist', '@electric-sql/pglite', 'fastify']) {
      t.ok(components.some(({ name }) => name === inside || `@fontsource-variable/${inside}` === name), inside)
    }
    for (const text of ['MIT License', 'SIL OPEN FONT LICENSE', 'WordNet 3.1 Copyright', 'fastify 5.', '@electric-sql/pglite 0.']) t.ok(notices.includes(text), text)
  })

  await t.test('the image is built of what the Dockerfile copies', async (t) => {
    const { stdout: listed } = await run(release, 'tar', '-tzf', `${name}-${version}-image.tar.gz`)
    const paths = listed.trim().split('\n')
    const copied = [...readFileSync(join(folder, 'Dockerfile'), 'utf8').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from]) => from!.split(' '))
    t.ok(copied.length > 5)
    for (const from of ['Dockerfile', '.dockerignore', ...copied]) t.ok(paths.some((path) => path === from || path.startsWith(`${from}/`)), from)
    t.strictSame(paths.filter((path) => /^(?:test|docs)\//.test(path)), [], 'which is all that a release is built of')
  })

  await t.test('an empty folder installs and starts it', async (t) => {
    const empty = emptyFolder(t)
    const tarballs = files.filter((file) => file.endsWith('.tgz')).map((file) => join(release, file))
    await run(empty, 'npm', 'install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs, 'fastify@5')
    const { endpoint, key = '', stop } = await startServer(t, join(empty, 'node_modules/.bin', name!), ['--data', join(empty, 'data')])
    t.match(await callTool(endpoint, key, 'ping'), { content: { status: 'ok', version } })
    t.match(await stop(), { code: 0 })
    writeFileSync(join(empty, 'engine.mjs'), `
      import fastify from 'fastify'
      import { createMcpPlugin } from '${name}-engine'
      const app = fastify()
      await app.register(createMcpPlugin({ server: { name: 'installed', version: '1.0.0' } }))
      await app.ready()
      console.log(app.hasRoute({ method: 'POST', url: '/mcp' }))
      await app.close()`)
    t.equal((await run(empty, process.execPath, 'engine.mjs')).stdout, 'true\n')
  })

  await t.test('the same commit gives the same files', async (t) => {
    const before = read('SHA256SUMS')
    await make()
    t.equal(read('SHA256SUMS'), before)
  })
})
