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

/** Collects a statement's values; `value` gives the parameter that stands for one of them. */
export const statementValues = (): { values: unknown[], value: (parameter: unknown, type: string) => string } => {
  const values: unknown[] = []
  return { values, value: (parameter, type) => `$${values.push(parameter)}::${type}` }
}

/**
 * What is known of all explorations, so coarse that a score says nothing of a single one that the caller cannot see.
 */
export const toPowerOfTwo = (number: string): string => `power(2, round(log(2, greatest(${number}, 1e-6)::numeric)))`

/** Returns the conditions on an exploration by status and tag, each after `and`; an empty text without any. */
export const wantedCondition = (
  table: string, { statuses, tag }: Pick<SearchScope, 'statuses' | 'tag'>,
  value: (parameter: unknown, type: string) => string
): string => [
  ...(statuses === null ? [] : [` and ${table}.status = any(${value(statuses, 'text[]')})`]),
  ...(tag === undefined ? [] : [` and ${table}.tags @> ${value(JSON.stringify([tag]), 'jsonb')}`])
].join('')
