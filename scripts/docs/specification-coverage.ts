/** Each statement of the specification with a MUST, SHOULD or MAY: where it stands, whom it binds, and what watches it. */
import { readdirSync, readFileSync } from 'node:fs'

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

/**
 * One row of a file in test/conformance/statements: the hashes of statements as normative-statements.json has them, who is bound, what
 * watches them, and the statement in our words.
 *
 * Who is bound: `server`, `client`, `both` (server and client), `as` (authorization server), `host` (the application around a client) or
 * `other`, separated by commas. What watches: ids of requirements, `rule:ID`, `profile:ID`, and `why:ID` for a reason why nothing does,
 * or not for each party. Hashes and watchers are separated by spaces.
 */
type StatementRow = readonly [hashes: string, binds: string, watchers: string, inOurWords: string]

const TESTS = new URL('../../test/', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, TESTS), 'utf8')
const readData = <Data>(file: string): Data => JSON.parse(read(`conformance/${file}`)) as Data

/** The rows of all files; in each they are grouped by the place of the statement. */
const readRows = (): StatementRow[] => readdirSync(new URL('conformance/statements', TESTS))
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => Object.values(readData<Record<string, StatementRow[]>>(`statements/${file}`)).flat())

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
  for (const row of readRows()) {
    for (const hash of row[0].split(' ')) {
      if (rows.has(hash)) throw new Error(`The statement ${hash} has two rows in test/conformance/statements.`)
      rows.set(hash, row)
    }
  }
  const statements = readData<Extracted[]>('normative-statements.json').map(([hash, levels, places]): CoveredStatement => {
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

/** Whether something watches how this party keeps the statement: tests for servers, rules and profiles for clients. */
export const isWatchedFor = (party: Party, { requirements, rules, profiles }: CoveredStatement): boolean =>
  (requirements.length > 0 && party !== 'client' && party !== 'host') ||
  (rules.length + profiles.length > 0 && party !== 'server' && party !== 'authorization server')

/** Returns, for each id of a requirement, the paths in test/ of the files that call `meets` with it. */
export const requirementCitations = (): Map<string, Set<string>> => {
  const citations = new Map<string, Set<string>>()
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  for (const file of files.filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules')).sort()) {
    for (const [, ids = ''] of read(file).matchAll(/\bmeets\(([^)]*)\)/g)) {
      for (const [, id = ''] of ids.matchAll(/'([\w-]+)'/g)) citations.set(id, (citations.get(id) ?? new Set()).add(file))
    }
  }
  return citations
}
