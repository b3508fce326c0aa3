// @any-node: reads declarations
/**
 * The engine is a library: what it exports changes only together with the changelog. test/engine/engine-surface.json is the surface of the
 * last release; each export that was added, removed or declared otherwise since then is named in the unreleased part of CHANGELOG.md.
 * A release writes the listing anew: ENGINE_SURFACE=write, which the test refuses while the newest part of the changelog is unreleased.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { engineSurface, signatureOf } from '../../scripts/docs/engine-surface.js'
import { ROOT } from '../helpers/root.js'

const LISTING = join(ROOT, 'test/engine/engine-surface.json')

const surface = engineSurface(ROOT)
const present = Object.fromEntries(surface.map((one) => [one.name, signatureOf(one)]))
const [, newest = ''] = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^## /m)
const isUnreleased = /^[^\n]*unreleased/i.test(newest)

if (process.env['ENGINE_SURFACE'] === 'write') {
  if (isUnreleased) throw new Error('The newest part of CHANGELOG.md is unreleased: the listing is that of the last release.')
  writeFileSync(LISTING, `${JSON.stringify(present, undefined, 2)}\n`)
}

/** Names that are in one of the two only, or have another signature. */
const changedNames = (before: Record<string, string>, now: Record<string, string>): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name])

t.test('each change since the last release is in the changelog', async (t) => {
  const released = JSON.parse(readFileSync(LISTING, 'utf8')) as Record<string, string>
  const mentioned = isUnreleased ? newest : ''
  const unmentioned = changedNames(released, present).filter((name) => !mentioned.includes(`\`${name}\``))
  t.same(unmentioned, [], 'name each in backticks in the unreleased part of CHANGELOG.md, and say what changed')
})

t.test('what counts as a change', async (t) => {
  const before = { kept: 'a', removed: 'b', altered: 'c' }
  t.same(changedNames(before, { kept: 'a', altered: 'd', added: 'e' }), ['removed', 'altered', 'added'])
})

t.test('each export has a docstring', async (t) => {
  t.same(surface.filter(({ documentation }) => documentation === '').map(({ name }) => name), [])
})
