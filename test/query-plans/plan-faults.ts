/** What is wrong with the plan of a statement on tables that grow. */

/** As `explain (format json)` has it; rows of a loop, and what the planner expects. */
export interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Order By'?: string
  Filter?: string
  'Plan Rows': number
  'Total Cost': number
  Plans?: Plan[]
}

// Nothing here grows with use.
export const SMALL: Readonly<Record<string, string>> = {
  workspaces: 'as many as there are teams',
  embedders: 'one; two while they change',
  deployment: 'has one row',
  schema_migrations: 'a row a migration',
  search_census: 'has one row',
  audit_retention: 'has one row',
  audit_partitions: 'a row a month',
  usage_progress: 'has one row',
  workspace_revisions: 'a row a workspace',
  uncommitted_workspace_changes: 'a row a workspace that a transaction under way has changed',
  commonplace_words: 'at most what a fiftieth of all texts hold, some hundreds',
  oauth_clients: 'as many as may register themselves, 10,000, and those of an operator',
  device_grants: 'at most 1,000 wait at a time, each for ten minutes'
}

// An index of few rows, or the partition of a month to come, is read whole for less. All other tables are large.
const FREE_COST = 20
// So many rows of an index fit that a page of them is soon met.
const MANY_ROWS = 1000
const MAX_COST = 30_000

export const planFaults = (plan: Plan): string[] => [
  ...faultsOf(plan, false), ...plan['Total Cost'] > MAX_COST ? [`costs ${plan['Total Cost']}`] : []
]

function * faultsOf (plan: Plan, enough: boolean): Generator<string> {
  const { 'Node Type': node, 'Relation Name': table, Plans: parts = [] } = plan
  if (table !== undefined && !isSmall(table) && plan['Total Cost'] > FREE_COST) {
    if (node === 'Seq Scan') yield `reads ${table} from end to end`
    // Along it until there are enough is no scan of all, unless much is passed over on the way.
    else if (isWalk(plan) && !(enough && plan['Plan Rows'] > MANY_ROWS)) yield `reads ${plan['Index Name']} from end to end`
  }
  for (const part of parts) yield * faultsOf(part, node === 'Limit' || (enough && !/Sort|Aggregate|Hash|Materialize/.test(node)))
}

/** Along an index from one end, rather than to what a condition says. */
const isWalk = (plan: Plan): boolean =>
  /^Index (Only )?Scan/.test(plan['Node Type']) && plan['Index Cond'] === undefined && plan['Order By'] === undefined

const isSmall = (table: string): boolean => Object.hasOwn(SMALL, table) || table.startsWith('pg_')
