/** Execution plans on a database, whole or counted. */
import type { Queryable } from '../sql/database.js'
import type { ExecutionPlan } from '../../planning/records.js'
import type { Plans, PlanState, WritersPlan } from '../../planning/store.js'
import { ITEM_FIELDS, WRITERS_FIELDS } from './changes/shown-items.js'
import { isUuid } from '../../lib/uuid.js'
import { first } from '../sql/rows.js'

const listOf = (table: string, fields: string, order: string): string => {
  const pairs = fields.split(' ').map((field) => `'${field}', t."${field}"`).join(', ')
  return `
  (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(${pairs})) order by ${order}), '[]')
   from ${table} t where t.exploration_id = x.exploration_id)`
}

const planStatement = (itemFields: string): string => `
  select x.exploration_id, x.version, x.compilation_state, rfc3339(x.updated_at) as updated_at,
    ${listOf('plan_groups', 'id title order', 't."order", t.position')} as groups,
    (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(${itemFields}))
        order by g."order", g.position, t."order", t.position), '[]')
      from plan_items t join plan_groups g on g.exploration_id = t.exploration_id and g.id = t.group_id
      where t.exploration_id = x.exploration_id) as items,
    ${listOf('plan_dependencies', 'item_id depends_on kind', 't.position')} as dependencies,
    ${listOf('plan_gates', 'id title after_group_id criteria status', 't.position')} as gates,
    ${listOf('plan_conflicts', 'id item_ids description severity status resolution', 't.position')} as conflicts
  from execution_plans x where x.exploration_id = $1`

const PLAN = planStatement(ITEM_FIELDS)
const PLAN_FOR_WRITERS = planStatement(`${ITEM_FIELDS}, ${WRITERS_FIELDS}`)

const countByStatus = (table: string, statuses: readonly string[]): string => {
  const counts = statuses.map((status) => `, '${status}', count(*) filter (where t.status = '${status}')`).join('')
  return `
  (select jsonb_build_object('total', count(*)${counts})
   from ${table} t where t.exploration_id = x.exploration_id)`
}

/**
 * Items of the plan that are done. `in` and `not in` of a query that names no row of the one around it are answered by
 * one hash table. A join or a correlated `exists` is not where there are no statistics, as in an embedded database: its
 * planner expects a handful of rows and reads all items again for each dependency.
 */
const DONE = "select o.id from plan_items o where o.exploration_id = $1 and o.status = 'done'"

const READY = `
  (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'title', r.title) order by r.place), '[]')
   from (select i.id, i.title, row_number() over (order by g."order", g.position, i."order", i.position) as place
     from plan_items i join plan_groups g on g.exploration_id = i.exploration_id and g.id = i.group_id
     where i.exploration_id = $1 and i.status = 'todo' and i.id not in (
       select d.item_id from plan_dependencies d
       where d.exploration_id = $1 and d.kind = 'blocks' and d.depends_on not in (${DONE}))
     order by place limit 5) r)`

/** Items and what waits for them in one list, which is then added up: no join, for the reason above. */
const BLOCKING = `
  (select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'title', b.title, 'blocks', b.blocks)
     order by b.blocks desc, b.position), '[]')
   from (select u.id, max(u.title) as title, max(u.position) as position, count(*) filter (where u.waits) as blocks
     from (select i.id, i.title, i.position, false as waits
         from plan_items i where i.exploration_id = $1 and i.status <> 'done'
       union all
         select d.depends_on, null, null, true
         from plan_dependencies d where d.exploration_id = $1 and d.kind = 'blocks'
           and d.depends_on not in (${DONE}) and d.item_id not in (${DONE})) u
     group by u.id having bool_or(u.waits) order by blocks desc, position limit 3) b)`

const STATE = `
  select x.exploration_id, x.version, x.compilation_state, rfc3339(x.updated_at) as updated_at, jsonb_build_object(
    'groups', (select count(*) from plan_groups t where t.exploration_id = x.exploration_id),
    'items', ${countByStatus('plan_items', ['todo', 'in_progress', 'done', 'blocked'])},
    'dependencies', (select count(*) from plan_dependencies t where t.exploration_id = x.exploration_id),
    'gates', ${countByStatus('plan_gates', ['open', 'passed', 'failed'])},
    'conflicts', ${countByStatus('plan_conflicts', ['open', 'resolved'])}) as counts,
    ${READY} as ready, ${BLOCKING} as blocking
  from execution_plans x where x.exploration_id = $1`

export const plans = (db: Queryable): Plans => {
  const one = async <Row>(statement: string, id: string, signal?: AbortSignal) =>
    isUuid(id) ? await first(db.query<Row>(statement, [id], { signal })) : undefined
  return {
    get: (id, signal) => one<ExecutionPlan>(PLAN, id, signal),
    forWriters: (id, signal) => one<WritersPlan>(PLAN_FOR_WRITERS, id, signal),
    state: (id) => one<PlanState>(STATE, id)
  }
}
