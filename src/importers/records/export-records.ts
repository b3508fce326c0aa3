/** Reads all records as lines of an import; a page is one statement, so that no line refers to what is not written. */
import { omitNulls } from '../../db/sql/rows.js'
import type { Queryable } from '../../db/sql/database.js'
import type { Line } from '../../planning/records.js'
import { namesOf, ORDER, PARTS, TARGETS } from './write-records.js'

export interface ExportSelection {
  /** The id of a workspace; the whole server when absent. */
  workspace?: string | undefined
  /** Whether users and memberships are written too; of a workspace its members. */
  people: boolean
}

const PAGE_USERS = 500
const PAGE_EXPLORATIONS = 100
// The embedded database answers no one else while it reads a page.
const PAGE_BYTES = 1024 * 1024
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

// Texts are measured where they lie, without reading them.
const SIZE = `pg_column_size(e.summaries) + pg_column_size(e.questions)
  + coalesce((select sum(p.total_chars) from requirement_packages p where p.exploration_id = e.id), 0)
  + coalesce((select sum(200 + coalesce(octet_length(i.description), 0)) from plan_items i
      where i.exploration_id = e.id), 0)
  + coalesce((select sum(octet_length(r.body)) from recommendations r where r.exploration_id = e.id), 0)`

/** Ids after `$1` in the workspaces `$2`, at least one, as long as their texts fit a page. */
const EXPLORATIONS = `
  select id from (
    select id, sum(size) over (order by id) - size as before from (
      select e.id, ${SIZE} as size from explorations e
      where e.id > $1::uuid and e.workspace_id = any($2::uuid[]) order by e.id limit ${PAGE_EXPLORATIONS}) measured
  ) added where before < ${PAGE_BYTES}`

const users = (ofWorkspace: boolean): string => `
  select u.id from users u where u.id > $1::uuid ${ofWorkspace
    ? 'and exists (select from memberships m where m.user_id = u.id and m.workspace_id = any($2::uuid[]))'
    : ''} order by u.id limit ${PAGE_USERS}`

// An array, which indexes are searched by, however many rows the planner expects.
const IN_PAGE = 'any(array(select id from page))'

const LISTS = Object.entries(PARTS).map(([list, [table, columns]]) => {
  return `, (select coalesce(jsonb_agg(jsonb_strip_nulls(to_jsonb(p) - 'position') order by p.position), '[]')
    from (select position, ${namesOf(columns)} from ${table} where exploration_id = t.exploration_id) p) as ${list}`
}).join('')

// Of questions that were asked here, their rows know who did and when; the times of others are those of their import.
const QUESTIONS = `
  (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'id', q.id, 'section', q.section, 'question', q.question, 'options', q.options,
      'item_id', q.item_id,
      'asked_by', q.asked_by ->> 'user', 'answered_by', q.answered_by ->> 'user',
      'created_at', case when q.asked_by is not null then rfc3339(q.created_at) end,
      'answered_at', rfc3339(q.answered_at)))
      || jsonb_build_object('answer', q.answer, 'status', q.status) order by q.position), '[]')
    from questions q where q.exploration_id = t.id) as questions`

const valueOf = (column: string): string => {
  const [name, type] = column.split(' ')
  if (name === 'questions') return QUESTIONS
  return type === 'timestamptz' ? `rfc3339(t.${name}) as ${name}` : `t.${name}`
}

/** Selects the records of a type, each as JSON whose first field is its key. */
const select = (type: Line['type'], condition: string): string => {
  const { table, columns } = TARGETS[type]
  return `select ${ORDER.indexOf(type)} as type, row_to_json(r)::text as json from (
    select ${columns.split(', ').map(valueOf).join(', ')}${type === 'execution_plan' ? LISTS : ''}
    from ${table} t where ${condition}) r`
}

interface Row { type: number, json: string }

const inOrder = (types: readonly string[]): string =>
  `select type, json from (${types.join(' union all ')}) lines order by type, json collate "C"`

const WORKSPACES = inOrder([select('workspace', '$1::uuid is null or t.id = $1::uuid')])

/** Yields pages of lines by id: workspaces, users with their memberships, explorations with what belongs to them. */
export async function * exportRecords (
  db: Queryable, { workspace, people }: ExportSelection
): AsyncGenerator<string> {
  const rows = await db.query<Row>(WORKSPACES, [workspace ?? null])
  const workspaces = rows.map(({ json }) => idIn(json))
  yield linesOf(rows)
  if (people) {
    yield * pagesOf(db, users(workspace !== undefined), workspaces, [
      select('user', `t.id = ${IN_PAGE}`),
      select('membership', `t.user_id = ${IN_PAGE} and t.workspace_id = any($2::uuid[])`)
    ])
  }
  const belongs = (['requirement_package', 'execution_plan', 'recommendation'] as const)
    .map((type) => select(type, `t.exploration_id = ${IN_PAGE}`))
  yield * pagesOf(db, EXPLORATIONS, workspaces, [select('exploration', `t.id = ${IN_PAGE}`), ...belongs])
}

/** Reads page after page. The rows of the first type are those that the pages are of. */
async function * pagesOf (
  db: Queryable, ids: string, workspaces: readonly string[], types: readonly string[]
): AsyncGenerator<string> {
  const statement = `with page as materialized (${ids}) ${inOrder(types)}`
  let last = FIRST_ID
  for (;;) {
    const rows = await db.query<Row>(statement, [last, workspaces])
    const final = rows.findLast(({ type }) => type === rows[0]?.type)
    if (!final) return
    last = idIn(final.json)
    yield linesOf(rows)
  }
}

const idIn = (json: string): string => (JSON.parse(json) as { id: string }).id

const linesOf = (rows: readonly Row[]): string =>
  rows.map(({ type, json }) => `${JSON.stringify({ type: ORDER[type], ...omitNulls(JSON.parse(json)) })}\n`).join('')
