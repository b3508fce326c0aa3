/** What the parts of the search's statement have in common. */

/** Parts of a score, which goes to 1 for what is named exactly. */
export const WEIGHTS = {
  /** Of what an address names by its number. */
  referred: 0.99,
  /** Of holding what is quoted, and of meaning and words together beside it. */
  quoted: 0.9,
  besideQuoted: 0.09,
  /** Of meaning and words together, where the query names nothing. */
  unnamed: 0.89,
  words: 0.6,
  /** Of a title that is nearly the query, at least. */
  alike: 0.3,
  /** Times the score of what is archived, so that it follows what is not and fits as well. */
  archived: 0.95
}

export interface SearchScope {
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

/**
 * Collects a statement's values. The planner cannot see them: it would make a plan for each search, which takes several
 * times as long as to answer it.
 */
export const statementValues = (): StatementValues => {
  const values: unknown[] = []
  return { values, value: (parameter, type) => `(select $${values.push(parameter)}::${type})::${type}` }
}

const WORKSPACES = '(select workspaces from asked)::uuid[]'
/** In `(… = VISIBLE) is true` no index sees the condition: where it would be the long way. */
export const VISIBLE = `any(${WORKSPACES})`

/** Among no more explorations each word is counted. */
const FEW_EXPLORATIONS = 1000
/** Of no more explorations all vectors are compared: more, the more others there are that an index has to pass over. */
const FEW_VECTORS = `greatest(${FEW_EXPLORATIONS}, 10 * sqrt(explorations))`
/** Words are looked up in each of so few workspaces by itself, and in all at once where there are more. */
const FEW_WORKSPACES = 8

/** So coarse that a score says nothing of a single exploration that the caller cannot see. */
export const toPowerOfTwo = (number: string): string =>
  `2 ^ round(ln(greatest(${number}, 1e-6)::float8) / ln(2::float8))`

/**
 * Returns the first tables: `asked` with the workspaces, and `seen` with one row:
 * - `few`: words weigh by what the caller sees, whatever others have, and each is counted
 * - `compare_all`: vectors are compared one by one
 * - `apart`: words are looked up workspace by workspace
 * - `size`: the number of explorations that the rarity of a word is measured by
 */
export const scopeTables = ({ visible }: Pick<SearchScope, 'visible'>, value: StatementValues['value']): string => `
  asked as materialized (select ${value(visible, 'uuid[]')} as workspaces),
  seen as materialized (
    select count <= ${FEW_EXPLORATIONS} as few, count <= most as compare_all,
      cardinality(${WORKSPACES}) <= ${FEW_WORKSPACES}
        or (count <= ${FEW_EXPLORATIONS} and explorations > ${FEW_EXPLORATIONS}) as apart,
      (case when count <= ${FEW_EXPLORATIONS} then count else greatest(count, ${toPowerOfTwo('explorations')}) end
      )::float8 as size
    from (select explorations, ${FEW_VECTORS} as most from search_census limit 1) census cross join lateral (
      -- Thousands are not counted for who sees every workspace, where the last census had twice as many.
      select case when explorations > 2 * most and cardinality(${WORKSPACES}) =
          (select count(*) from (select from workspaces limit most::bigint) w)
        then most + 1
        else (select count(*) from (select from explorations where workspace_id = ${VISIBLE} limit most::bigint + 1) e)
        end as count
      offset 0
    ) counted
  )`

/** Rows, as `holder`, of explorations whose words fit: at most `limit` of one workspace, or of all. */
export const holders = (query: string, limit: { apart: number, together: number }): string => `(
    select d.exploration_id from unnest(${WORKSPACES}) as visible (workspace) cross join lateral (
      select d.exploration_id from search_documents d
      where d.document @@ ${query} and d.workspace_id = workspace limit ${limit.apart}) d
    where (select apart from seen)
    union all (
    select d.exploration_id from search_documents d
    where not (select apart from seen) and d.document @@ ${query} and (d.workspace_id = ${VISIBLE}) is true
    limit ${limit.together})) holder`

/** Returns the conditions on an exploration by status and tag, each after `and`; an empty text without any. */
export const wantedCondition = (
  table: string, { statuses, tag }: Pick<SearchScope, 'statuses' | 'tag'>, value: StatementValues['value']
): string => [
  ...(statuses === null ? [] : [` and ${table}.status = any(${value(statuses, 'text[]')})`]),
  ...(tag === undefined ? [] : [` and ${table}.tags @> ${value(JSON.stringify([tag]), 'jsonb')}`])
].join('')
