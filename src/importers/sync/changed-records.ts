/** Compares an exploration of the source with the database, and makes the next version of each changed record. */
import { createHash } from 'node:crypto'
import type { Queryable } from '../../db/sql/database.js'
import { plans } from '../../db/planning/sql-plans.js'
import type {
  ExecutionPlanLine,
  ExplorationLine,
  Line,
  RecommendationLine,
  RequirementPackageLine
} from '../../planning/records.js'
import { proposeImported } from '../records/import-conflict.js'
import type { SentExploration } from './plan-lines.js'

/** The beginning of a package whose documents vanished from the source. */
export const GONE_NOTE = '> Archived: the documents of this package are no longer in the source.\n\n'

/** A hash of the records without times and versions, which an import does not know. */
export const digestOf = ({ exploration, packages, plan, decisions }: SentExploration): string => {
  const bare = [
    { ...exploration, created_at: '', updated_at: '' },
    packages.map((part) => ({ ...part, version: 0, updated_at: '' })),
    plan && { ...plan, version: 0, updated_at: '' },
    decisions.map(({ record }) => record)
  ]
  return createHash('sha256').update(JSON.stringify(bare)).digest('hex')
}

/** The changed records; `now` is the time of a replacement. What vanished from the source is archived, not deleted. */
export const changedRecords = async (db: Queryable, sent: SentExploration, now: string): Promise<Line[]> => {
  const { exploration, packages, plan, decisions } = sent
  const { id } = exploration
  const stored = await storedExploration(db, id)
  if (!stored) return [exploration, ...packages, ...(plan ? [plan] : []), ...decisions.map(({ record }) => record)]
  const changed: Line[] = [
    ...(await changedPackages(db, id, packages, now)),
    ...(await changedPlan(db, id, plan, now)),
    ...(await changedDecisions(
      db,
      id,
      decisions.map(({ record }) => record)
    ))
  ]
  const current = { ...exploration, created_at: stored.created_at, updated_at: stored.updated_at }
  if (changed.length > 0 || !same(current, stored)) {
    changed.unshift({ ...current, updated_at: later(stored.updated_at, now) })
  }
  return changed
}

const later = (one: string, other: string): string => (Date.parse(one) > Date.parse(other) ? one : other)

/** The same explorations, archived. Those that are archived already are left out. */
export const archivedRecords = async (
  db: Queryable,
  ids: readonly string[],
  now: string
): Promise<ExplorationLine[]> => {
  const stored = await storedExplorations(db, ids)
  return stored
    .filter(({ status }) => status !== 'archived')
    .map((exploration) => ({ ...exploration, status: 'archived', updated_at: later(exploration.updated_at, now) }))
}

const storedExplorations = async (db: Queryable, ids: readonly string[]): Promise<ExplorationLine[]> => {
  const rows = await db.query<{ record: ExplorationLine }>(
    `select jsonb_strip_nulls(jsonb_build_object('type', 'exploration', 'id', id, 'workspace_id', workspace_id,
       'title', title, 'status', status, 'tags', tags, 'url', url)) ||
       jsonb_build_object('summaries', summaries, 'questions', questions,
       'created_at', rfc3339(created_at), 'updated_at', rfc3339(updated_at)) as record
     from explorations where id = any($1::uuid[])`,
    [ids]
  )
  return rows.map(({ record }) => record)
}

const storedExploration = async (db: Queryable, id: string): Promise<ExplorationLine | undefined> =>
  (await storedExplorations(db, [id]))[0]

const changedPackages = async (
  db: Queryable,
  id: string,
  packages: readonly RequirementPackageLine[],
  now: string
): Promise<RequirementPackageLine[]> => {
  const stored = await db.query<
    Pick<RequirementPackageLine, 'artifact_type' | 'markdown' | 'version'> & { title: string | null }
  >('select artifact_type, title, markdown, version from requirement_packages where exploration_id = $1::uuid', [id])
  const changed = packages.flatMap((part) => {
    const old = stored.find((one) => one.artifact_type === part.artifact_type)
    if (!old) return [{ ...part, updated_at: now }]
    if (old.markdown === part.markdown && (old.title ?? undefined) === part.title) return []
    return [{ ...part, version: old.version + 1, updated_at: now }]
  })
  const missing = stored.filter(
    (old) => !packages.some((part) => part.artifact_type === old.artifact_type) && !old.markdown.startsWith(GONE_NOTE)
  )
  return [
    ...changed,
    ...missing.map((old) => ({
      type: 'requirement_package' as const,
      exploration_id: id,
      artifact_type: old.artifact_type,
      ...(old.title !== null && { title: old.title }),
      markdown: `${GONE_NOTE}${old.markdown}`.slice(0, 5_000_000),
      version: old.version + 1,
      updated_at: now
    }))
  ]
}

/** A plan whose tasks vanished from the source becomes stale, which readers see. */
const changedPlan = async (
  db: Queryable,
  id: string,
  plan: ExecutionPlanLine | undefined,
  now: string
): Promise<ExecutionPlanLine[]> => {
  const stored = await plans(db).get(id)
  if (!stored) return plan ? [{ ...plan, updated_at: now }] : []
  const next = plan ?? { ...stored, type: 'execution_plan' as const, compilation_state: 'stale' as const }
  if (same(comparable(next), comparable(stored))) {
    // The files say what was changed here: from now on they decide.
    await db.query(
      `update plan_items set changed_here = '{}', imported_status = status
       where exploration_id = $1::uuid and changed_here <> '{}'`, [id])
    await db.query("update execution_plans set changed_parts = '{}' where exploration_id = $1::uuid", [id])
    await proposeImported(db, 'execution_plan', [id], [])
    return []
  }
  return [{ ...next, version: stored.version + 1, updated_at: now }]
}

/** A form for comparison: items in one order, without times and versions. */
const comparable = (plan: Omit<ExecutionPlanLine, 'type'>): unknown => {
  const { compilation_state: state, groups, items, dependencies, gates, conflicts } = plan
  return { state, groups, items: [...items].sort((a, b) => (a.id < b.id ? -1 : 1)), dependencies, gates, conflicts }
}

/** A decision that vanished from the source becomes rejected: only approved ones are served. */
const changedDecisions = async (
  db: Queryable,
  id: string,
  decisions: readonly RecommendationLine[]
): Promise<RecommendationLine[]> => {
  const rows = await db.query<{ record: RecommendationLine }>(
    `select jsonb_build_object('type', 'recommendation', 'id', id, 'exploration_id', exploration_id, 'kind', kind,
       'title', title, 'body', body, 'status', status, 'approved_by', approved_by,
       'approved_at', case when approved_at is null then null else rfc3339(approved_at) end) as record
     from recommendations where exploration_id = $1::uuid`,
    [id]
  )
  const stored = rows.map(({ record }) => record)
  const changed = decisions.filter((decision) => {
    const old = stored.find((one) => one.id === decision.id)
    return !old || !same(decision, old)
  })
  const missing = stored.filter(
    (old) => old.status !== 'rejected' && !decisions.some((decision) => decision.id === old.id)
  )
  return [...changed, ...missing.map((old) => ({ ...old, status: 'rejected' as const }))]
}

/** Whether the values are equal, whatever the order of fields and the form of times. */
const same = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other)

const canonical = (value: unknown): string =>
  JSON.stringify(value, (key, part: unknown) => {
    if (key.endsWith('_at') && typeof part === 'string') return new Date(part).toISOString()
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
