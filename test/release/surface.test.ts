// @any-node: reads declarations
/**
 * What others rely on changes only together with the changelog and the version. test/release/surface.json is the surface of the last
 * release; each name that was added, removed or changed since then stands in the unreleased part of CHANGELOG.md.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gte } from 'semver'
import t from 'tap'
import { engineSurface } from '../../scripts/docs/engine-surface.js'
import { changesBetween, lowestVersion, readChangelog, unmentioned, type Released } from '../../scripts/release/changes.js'
import { readSurface } from '../../scripts/release/surface.js'
import { REVISIONS } from '../../src/engine/revisions.js'
import { ROOT } from '../helpers/root.js'

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const page = read('docs/reference/stability.md')
/** Rows of the page's tables, by their first cell. */
const rows = new Map([...page.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)].map(([, name, promise]) => [name!, promise!]))
const stable = new Set([...rows].filter(([, promise]) => promise === 'stable').map(([name]) => name))

const surface = await readSurface()
const released = JSON.parse(read('test/release/surface.json')) as Released
const changelog = readChangelog(read('CHANGELOG.md'))
const changes = changesBetween(released.surface, surface)

t.test('each change since the last release is in the changelog', async (t) => {
  t.same(unmentioned(changes, changelog, stable), [], 'name each in backticks in the unreleased part of CHANGELOG.md, and say what changed')
})

t.test('the version follows what changed', async (t) => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const lowest = changelog.hasRelease ? lowestVersion(released.version, changes, changelog) : released.version
  t.ok(gte(version, lowest), `${version} is at least ${lowest}`)
})

t.test('what counts as a change, and what it asks for', async (t) => {
  const before = { tools: { kept: 'a', removed: 'b', changed: 'c' } }
  const found = changesBetween(before, { tools: { kept: 'a', changed: 'd', added: 'e' } })
  t.same(found.map(({ name, kind }) => `${name} ${kind}`), ['removed removed', 'changed changed', 'added added'])
  const stable = new Set(['tools'])
  const log = (...entries: string[]) => readChangelog(`# Changelog\n\n## 2.0.0 — unreleased\n\n${entries.map((entry) => `- ${entry}\n`).join('')}\n## 1.2.0\n\n- Old.\n`)
  t.same(unmentioned(found, log('`added` and `changed`.'), stable), ['tools: `removed` was removed'])
  t.same(unmentioned(found, log('`added` and `changed`.', '`removed` is gone.'), stable), ['tools: `removed` was removed, which is **Breaking**'])
  const whole = log('`added` and `changed`.', '**Breaking**: `removed` is gone.')
  t.same(unmentioned(found, whole, stable), [])
  t.same(unmentioned(found, readChangelog('## 2.0.0 — 2027-01-01\n\n- `added`, `changed`, **Breaking** `removed`\n'), stable).length, 3, 'released already')
  t.equal(lowestVersion('1.2.0', found, whole), '2.0.0')
  t.equal(lowestVersion('1.2.0', found, log('`added`')), '1.3.0')
  t.equal(lowestVersion('0.2.0', found, whole), '0.3.0')
  t.equal(lowestVersion('0.2.0', found, log('`added`')), '0.2.1')
  t.equal(lowestVersion('0.2.0', [], log()), '0.2.0')
})

t.test('the page says what each area promises, and how long each revision is served', async (t) => {
  for (const area of Object.keys(surface)) t.match(rows.get(area), /^(?:stable|may change in a minor|internal)$/, area)
  for (const revision of REVISIONS) t.ok(rows.has(revision), revision)
})

t.test('each export of the engine has a docstring', async (t) => {
  t.same(engineSurface().filter(({ documentation }) => documentation === '').map(({ name }) => name), [])
})
