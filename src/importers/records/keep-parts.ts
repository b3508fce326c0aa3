/** What an import keeps of gates, conflicts and dependencies of plans that were changed here since the last one. */
import { plans as storedPlans } from '../../db/planning/sql-plans.js'
import type { Queryable } from '../../db/sql/database.js'
import type { ExecutionPlan, ExecutionPlanLine } from '../../planning/records.js'
import { findCycle } from './cycles.js'
import { conflictOf, differing, fieldsOf, type ImportConflict } from './import-conflict.js'

const CHANGED = `select exploration_id as id, changed_parts as parts from execution_plans
  where exploration_id = any($1::uuid[]) and changed_parts <> '{}'`

type Dependency = ExecutionPlan['dependencies'][number]

/** As in the history. */
const idOf = ({ item_id: item, depends_on: on, kind }: Dependency): string =>
  `${item} ${kind === 'blocks' ? '→' : '↔'} ${on}`

/** Returns the plans with these parts; `isWhole`: whether a plan without a dependency says that there is none. */
export const keepParts = async <Plan extends ExecutionPlanLine>(
  tx: Queryable, plans: readonly Plan[], isWhole: boolean, conflicts: ImportConflict[]
): Promise<Array<Plan & Marks>> => {
  const rows = await tx.query<{ id: string, parts: string[] }>(CHANGED, [plans.map((plan) => plan.exploration_id)])
  const changed = new Map(rows.map(({ id, parts }) => [id, new Set(parts)]))
  const kept: Array<Plan & Marks> = []
  for (const plan of plans) {
    const marks = changed.get(plan.exploration_id.toLowerCase())
    const here = marks && await storedPlans(tx).get(plan.exploration_id)
    kept.push(here ? keepPartsOf(plan, here, { marks, isWhole, conflicts }) : plan)
  }
  return kept
}

/** What of a plan was changed here and still differs. */
interface Marks { changed_parts?: string[] }

interface Keeping { marks: ReadonlySet<string>, isWhole: boolean, conflicts: ImportConflict[] }

const keepPartsOf = <Plan extends ExecutionPlanLine>(
  plan: Plan, here: ExecutionPlan, { marks, isWhole, conflicts }: Keeping
): Plan & Marks => {
  const of = here.exploration_id
  const changed: string[] = []
  const keep = <Field extends string, Part extends { id: string } & Partial<Record<Field, unknown>>>(
    kind: string, fields: readonly Field[], parts: Part[], stored: readonly Part[],
    conflict: (part: Part, old: Part) => ImportConflict | undefined
  ): Part[] => parts.map((part) => {
      const old = stored.find(({ id }) => id === part.id)
      const mark = `${kind} ${part.id}`
      if (!old || !marks.has(mark) || differing(fields, part, old).length === 0) return part
      changed.push(mark)
      conflicts.push(...[conflict(part, old) ?? []].flat())
      return { ...part, ...fieldsOf(old, fields) }
    })

  const items = new Set(plan.items.map(({ id }) => id))
  const dependencies = new Map(plan.dependencies.map((one) => [idOf(one), one]))
  const own = new Map(here.dependencies.map((one) => [idOf(one), one]))
  for (const mark of marks) {
    const id = mark.slice('dependency '.length)
    const [said, ours] = [dependencies.get(id), own.get(id)]
    const one = said ?? ours
    if (!mark.startsWith('dependency ') || !one || (said && ours)) continue
    if (said) dependencies.delete(id)
    // The plan may no longer have its items, or may say the reverse by now.
    else if (!items.has(one.item_id) || !items.has(one.depends_on) || closesCycle(dependencies.values(), one)) continue
    else dependencies.set(id, one)
    changed.push(mark)
    const kind = said ? 'add_dependency' : 'remove_dependency'
    const says = { kind, item_id: one.item_id, depends_on: one.depends_on }
    const isProposed = said ? one.kind === 'blocks' : isWhole
    conflicts.push({ exploration_id: of, says, ...isProposed && { change: says, base: null } })
  }
  return {
    ...plan,
    gates: keep('gate', ['status'], plan.gates, here.gates, (gate, old) =>
      conflictOf(of, { kind: 'set_gate', gate_id: gate.id }, ['status'], gate, old)),
    conflicts: keep('conflict', ['status', 'resolution'], plan.conflicts, here.conflicts, (part, old) =>
      // What is resolved here is opened again by undoing that.
      part.status === 'resolved' && old.status === 'open'
        ? conflictOf(of, { kind: 'resolve_conflict', conflict_id: part.id }, ['resolution'], part, null)
        : undefined),
    dependencies: [...dependencies.values()],
    changed_parts: changed
  }
}

const closesCycle = (dependencies: Iterable<Dependency>, added: Dependency): boolean =>
  added.kind === 'blocks' && findCycle([...dependencies, added]) !== undefined
