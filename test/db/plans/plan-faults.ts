/** What is wrong with the way a statement was carried out on tables that grow. */

/** As `explain (format json, analyze)` has it; rows on average of a loop. */
export interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Order By'?: string
  Filter?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

// Nothing here grows with use.
const SMALL: Readonly<Record<string, string>> = {
  workspaces: 'as many as there are teams',
  embedders: 'one; two while they change',
  deployment: 'has one row',
  schema_migrations: 'a row a migration',
  search_census: 'has one row',
  audit_retention: 'has one row',
  usage_progress: 'has one row',
  uncommitted_workspace_changes: 'a row a workspace that a transaction under way has changed',
  commonplace_words: 'at most what a fiftieth of all texts hold, some hundreds',
  oauth_clients: 'as many as may register themselves, 10,000, and those of an operator',
  device_grants: 'at most 1,000 wait at a time, each for ten minutes'
}

// Of one table in one statement, or into one sort; and along an index from its end.
const MAX_ROWS = 50_000
const MAX_WALKED = 1000

/** `work`: whether rows are counted as well, which is fair only where the plan was made for these values. */
export const planFaults = (plan: Plan, { work }: { work: boolean }): string[] => [...faultsOf(plan, work, false)]

function * faultsOf (plan: Plan, work: boolean, enough: boolean): Generator<string> {
  const { 'Node Type': node, 'Relation Name': table, 'Index Name': index, 'Actual Loops': loops = 0, Plans: parts = [] } = plan
  if (table !== undefined && !isSmall(table)) {
    const passed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
    const rows = Math.round(((plan['Actual Rows'] ?? 0) + passed) * loops)
    if (node === 'Seq Scan' && loops > 0 && !(rows === 0 && isMonth(table))) yield `reads ${table} from end to end`
    // An index may hold little; and along it until there are enough is no scan of all, unless much is passed over on the way.
    else if (isWalk(plan) && (enough ? passed * loops : rows) > MAX_WALKED) yield `reads ${index} from end to end`
    if (work && rows > MAX_ROWS) yield `reads ${rows} rows of ${table}`
  }
  const sorted = parts[0]?.['Actual Rows'] ?? 0
  if (work && node === 'Sort' && sorted > MAX_ROWS) yield `sorts ${sorted} rows`
  for (const part of parts) yield * faultsOf(part, work, node === 'Limit' || (enough && !/Sort|Aggregate|Hash|Materialize/.test(node)))
}

/** Along an index from one end, rather than to what a condition says. */
const isWalk = (plan: Plan): boolean =>
  /^Index (Only )?Scan/.test(plan['Node Type']) && plan['Index Cond'] === undefined && plan['Order By'] === undefined

/** A partition of the audit log: that of months to come, or long ago, is empty. */
const isMonth = (table: string): boolean => table.startsWith('audit_events_')

const isSmall = (table: string): boolean => Object.hasOwn(SMALL, table) || table.startsWith('pg_')
