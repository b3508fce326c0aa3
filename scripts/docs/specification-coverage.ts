/** Each statement of the specification with a MUST, SHOULD or MAY: where it stands, whom it binds, and what watches it. */
import { readFileSync } from 'node:fs'
import { AUTHORIZATION } from '../../test/conformance/statements/authorization.js'
import { BASE_PROTOCOL } from '../../test/conformance/statements/base-protocol.js'
import { CLIENT_FEATURES } from '../../test/conformance/statements/client-features.js'
import { EXPERIMENTAL_TASKS } from '../../test/conformance/statements/experimental-tasks.js'
import { LIFECYCLE_AND_PATTERNS } from '../../test/conformance/statements/lifecycle-and-patterns.js'
import { SERVER_FEATURES } from '../../test/conformance/statements/server-features.js'
import type { StatementRow } from '../../test/conformance/statements/statement-row.js'
import { TRANSPORTS } from '../../test/conformance/statements/transports.js'

const STATEMENT_ROWS: readonly StatementRow[] = [
  ...BASE_PROTOCOL, ...LIFECYCLE_AND_PATTERNS, ...TRANSPORTS, ...AUTHORIZATION, ...CLIENT_FEATURES, ...SERVER_FEATURES,
  ...EXPERIMENTAL_TASKS
]

const PARTIES = ['server', 'client', 'authorization server', 'host', 'other'] as const
export type Party = typeof PARTIES[number]

/** Where a statement stands: the `ordinal`-th of its section, from 1. */
export interface StatementPlace {
  revision: string
  page: string
  anchor: string
  ordinal: number
}

export interface CoveredStatement {
  hash: string
  /** The words of the statement, such as `MUST, SHOULD NOT`. */
  levels: string
  /** The strongest of them. */
  level: 'MUST' | 'SHOULD' | 'MAY'
  places: readonly StatementPlace[]
  binds: readonly Party[]
  /** Ids of requirements, rules and profiles that watch it, and of reasons why nothing does. */
  requirements: readonly string[]
  rules: readonly string[]
  profiles: readonly string[]
  reasons: readonly string[]
  inOurWords: string
}

type Extracted = readonly [hash: string, levels: string, places: readonly string[]]

const readExtracted = (): readonly Extracted[] =>
  JSON.parse(readFileSync(new URL('../../test/conformance/normative-statements.json', import.meta.url), 'utf8')) as readonly Extracted[]

const parsePlace = (text: string): StatementPlace => {
  const [, revision = '', page = '', anchor = '', ordinal = ''] = /^(\S+) ([^#]*)#(\S*) (\d+)$/.exec(text) ?? []
  return { revision, page, anchor, ordinal: Number(ordinal) }
}

const parseParties = (binds: string): Party[] => binds.split(/, */).flatMap((word): Party[] => {
  if (word === 'both') return ['server', 'client']
  const party = PARTIES.find((each) => each === (word === 'as' ? 'authorization server' : word))
  if (!party) throw new Error(`"${word}" is no party.`)
  return [party]
})

/**
 * Returns all statements in the order of the specification, newest revision first.
 * @throws {Error} for a statement without a row, with several, or a row without a statement
 */
export const specificationCoverage = (): CoveredStatement[] => {
  const rows = new Map<string, StatementRow>()
  for (const row of STATEMENT_ROWS) {
    for (const hash of row[0].split(' ')) {
      if (rows.has(hash)) throw new Error(`The statement ${hash} has two rows in test/conformance/statements.`)
      rows.set(hash, row)
    }
  }
  const statements = readExtracted().map(([hash, levels, places]): CoveredStatement => {
    const row = rows.get(hash)
    if (!row) throw new Error(`The statement ${hash} (${places[0]}) has no row in test/conformance/statements.`)
    rows.delete(hash)
    const [, binds, watchers, inOurWords] = row
    const ids = watchers.split(' ')
    const withPrefix = (prefix: string) => ids.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length))
    return {
      hash,
      levels,
      level: levels.includes('MUST') ? 'MUST' : levels.includes('SHOULD') ? 'SHOULD' : 'MAY',
      places: places.map(parsePlace),
      binds: parseParties(binds),
      requirements: ids.filter((id) => !id.includes(':')),
      rules: withPrefix('rule:'),
      profiles: withPrefix('profile:'),
      reasons: withPrefix('why:'),
      inOurWords
    }
  })
  if (rows.size > 0) throw new Error(`There are no statements ${[...rows.keys()].join(', ')}.`)
  return statements
}

/** Whether something watches how this party keeps the statement. */
export const isWatchedFor = (party: Party, { requirements, rules, profiles }: CoveredStatement): boolean => {
  switch (party) {
    case 'server':
    case 'authorization server': return requirements.length > 0
    case 'client':
    case 'host': return rules.length + profiles.length > 0
    case 'other': return requirements.length + rules.length + profiles.length > 0
  }
}
