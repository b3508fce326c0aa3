/** What the statements of a search have in common. */

/** Among what is searched. */
export interface SearchScope {
  /** Ids of workspaces. */
  visible: readonly string[]
  statuses: readonly string[] | null
  /** Only explorations with exactly this tag. */
  tag?: string | undefined
}

export interface Statement { statement: string, values: unknown[] }

export interface StatementValues {
  values: unknown[]
  /** Adds a value, and gives the parameter that stands for it. */
  value: (parameter: unknown, type: string) => string
}

/** Collects a statement's values. */
export const statementValues = (): StatementValues => {
  const values: unknown[] = []
  return { values, value: (parameter, type) => `$${values.push(parameter)}::${type}` }
}

/**
 * Returns the table `asked` with the workspaces. They are read from it, so that one plan serves all questions: to make
 * one for each takes longer than to answer it.
 */
export const askedTable = ({ visible }: Pick<SearchScope, 'visible'>, value: StatementValues['value']): string =>
  `asked as materialized (select ${value(visible, 'uuid[]')} as workspaces)`

/**
 * What is known of all explorations, so coarse that a score says nothing of a single one that the caller cannot see.
 */
export const toPowerOfTwo = (number: string): string =>
  `2 ^ round(ln(greatest(${number}, 1e-6)::float8) / ln(2::float8))`

/** Returns the conditions on an exploration by status and tag, each after `and`; an empty text without any. */
export const wantedCondition = (
  table: string, { statuses, tag }: Pick<SearchScope, 'statuses' | 'tag'>,
  value: (parameter: unknown, type: string) => string
): string => [
  ...(statuses === null ? [] : [` and ${table}.status = any(${value(statuses, 'text[]')})`]),
  ...(tag === undefined ? [] : [` and ${table}.tags @> ${value(JSON.stringify([tag]), 'jsonb')}`])
].join('')
