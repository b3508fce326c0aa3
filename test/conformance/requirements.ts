/**
 * What the specification asks of a server, clause by clause, in our words: each is cited by the tests that prove it, with
 * `meets`. The latest revision of each era is the measure; `older` rows are about revisions before it.
 */
import { readFileSync } from 'node:fs'

export type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY'

export interface Requirement {
  id: string
  level: Level
  /** Page and anchor in 2025-11-25, or in `revision`. */
  legacy?: string
  revision?: string
  /** Page and anchor in 2026-07-28. */
  modern?: string
  says: string
}

const groups = JSON.parse(readFileSync(new URL('requirements.json', import.meta.url), 'utf8')) as Record<string, Requirement[]>

export const REQUIREMENTS: readonly Requirement[] = Object.values(groups).flat()

const known = new Set(REQUIREMENTS.map(({ id }) => id))

export const meets = (...ids: readonly string[]): void => {
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new Error(`No such requirement: ${unknown.join(', ')}`)
}
