/** What changed between two surfaces, and what the changelog and the version have to say of it. */
import { inc, major } from 'semver'
import type { Surface } from './surface.js'

/** The surface of the last release, as test/release/surface.json has it. */
export interface Released { version: string, surface: Surface }

export interface Change { area: string, name: string, kind: 'added' | 'removed' | 'changed' }

export interface Changelog {
  /** Whether the newest part says that it is not released. */
  isUnreleased: boolean
  /** Whether another part has been released before. */
  hasRelease: boolean
  /** The entries of the newest part. */
  entries: string[]
}

export const changesBetween = (before: Surface, now: Surface): Change[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((area) => {
    const [old = {}, present = {}] = [before[area], now[area]]
    return [...new Set([...Object.keys(old), ...Object.keys(present)])].filter((name) => old[name] !== present[name]).map((name): Change =>
      ({ area, name, kind: !(name in old) ? 'added' : !(name in present) ? 'removed' : 'changed' }))
  })

export const readChangelog = (text: string): Changelog => {
  const [, newest = '', ...others] = text.split(/^## /m)
  return {
    isUnreleased: /^[^\n]*unreleased/i.test(newest), hasRelease: others.length > 0, entries: newest.split(/^- /m).slice(1)
  }
}

const isBreaking = (entry: string): boolean => entry.includes('**Breaking**')

/** What is missing in the changelog: one sentence each. */
export const unmentioned = (changes: readonly Change[], { isUnreleased, entries }: Changelog, stable: ReadonlySet<string>): string[] =>
  changes.flatMap(({ area, name, kind }) => {
    const found = isUnreleased ? entries.filter((entry) => entry.includes(`\`${name}\``)) : []
    if (found.length === 0) return [`${area}: \`${name}\` was ${kind}`]
    return kind === 'removed' && stable.has(area) && !found.some(isBreaking) ? [`${area}: \`${name}\` was removed, which is **Breaking**`] : []
  })

/** The lowest version that the changes allow after a release: below 1.0.0 the second number stands for the first. */
export const lowestVersion = (released: string, changes: readonly Change[], { entries }: Changelog): string => {
  const early = major(released) === 0
  if (entries.some(isBreaking)) return inc(released, early ? 'minor' : 'major') ?? released
  return changes.length === 0 ? released : inc(released, early ? 'patch' : 'minor') ?? released
}
