// What SECURITY.md says of packages: a CycloneDX list of them from the lockfile, and a question to the registry that may go unanswered.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { subset } from 'semver'
import t from 'tap'
import { packageName } from '../../scripts/production-packages.mjs'
import { ROOT } from '../helpers/root.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

t.test('node scripts/sbom.mjs lists each package that users run, installed or bundled, with its version and checksum', async (t) => {
  const file = join(t.testdir({}), 'sbom.json')
  const said = execFileSync(process.execPath, [join(root, 'scripts/sbom.mjs'), file], {
    cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']
  })
  const { bomFormat, components } = JSON.parse(readFileSync(file, 'utf8')) as {
    bomFormat: string, components: Array<{ group?: string, name: string, version: string, purl: string, hashes?: object[] }>
  }
  t.equal(bomFormat, 'CycloneDX')
  t.match(said, new RegExp(`CycloneDX [\\d.]+, ${components.length} packages`))
  const versions = new Map(components.map(({ purl, version }) => [decodeURIComponent(purl).replace(/^pkg:npm\/(.+)@.*$/, '$1'), version]))
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, Record<string, string>>
  for (const [name, version] of Object.entries(dependencies!)) t.equal(versions.get(name), version, name)
  const bundled = JSON.parse(readFileSync(join(ROOT, 'dist/bundled-packages.json'), 'utf8')) as Array<{ name: string, version: string }>
  t.ok(bundled.length > 50)
  for (const { name, version } of bundled) t.ok(components.some((one) => decodeURIComponent(one.purl) === `pkg:npm/${name}@${version}`), name)
  t.notOk(versions.has('typescript'))
  t.ok(Object.keys(devDependencies!).some((name) => !versions.has(name)), 'and none that only development needs')
  t.ok(components.every(({ hashes = [] }) => hashes.length > 0))
})

t.test('each package that is installed with the program runs on every Node.js that the program allows', async (t) => {
  interface Manifest { engines: { node: string }, overrides?: Record<string, unknown> }
  interface Locked { version: string, dev?: boolean, engines?: { node?: string } }
  const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'))
  const { engines: { node: allowed }, overrides = {} } = read('package.json') as Manifest
  const { packages } = read('package-lock.json') as { packages: Record<string, Locked> }
  const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
  t.ok(installed.length > 50)
  for (const [path, { engines, version }] of installed) {
    t.ok(subset(allowed, engines?.node ?? '*'), `${packageName(path)} ${version} runs on ${engines?.node}`)
    // npm heeds overrides only here, not where the program is installed.
    t.notOk(packageName(path) in overrides, `${packageName(path)} is not overridden`)
  }
})
