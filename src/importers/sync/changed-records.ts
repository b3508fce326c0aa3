/** Compares an exploration of the source with the database, and makes the next version of each changed record. */
import { createHash } from 'node:crypto'
import type { Queryable } from '../../db/sql/database.js'
import { plans } from '../../db/planning/sql-plans.js'
import { sortKeys } from '../../lib/json/json-object.js'
import type { ExecutionPlanLine, ExplorationLine, Line, RecommendationLine } from '../../planning/records.js'
import { proposeImported } from '../records/import-conflict.js'
import { linesOf } from '../records/to-records.js'
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
  const [stored] = await storedExplorations(db, [sent.exploration.id])
  if (!stored) return linesOf(sent)
  const { created_at: createdAt, updated_at: updatedAt } = stored
  const changed: Line[] = [
    ...await changedPackages(db, sent, now), ...await changedPlan(db, sent, now), ...await changedDecisions(db, sent)
  ]
  const current = { ...sent.exploration, created_at: createdAt, updated_at: updatedAt }
  return changed.length > 0 || !same(current, stored)
    ? [{ ...current, updated_at: later(updatedAt, now) }, ...changed]
    : []
}

const later = (one: string, other: string): string => (Date.parse(one) > Date.parse(other) ? one : other)

/** The same explorations, archived. Those that are archived already are left out. */
export const archivedRecords = async (db: Queryable, ids: readonly string[], now: string): Promise<ExplorationLine[]> =>
  (await storedExplorations(db, ids))
    .filter(({ status }) => status !== 'archived')
    .map((exploration) => ({ ...exploration, status: 'archived', updated_at: later(exploration.updated_at, now) }))

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

const changedPackages = async (
  db: Queryable, { exploration: { id }, packages }: SentExploration, now: string
): Promise<SentExploration['packages']> => {
  const stored = await db.query<{ artifact_type: string, title: string | null, markdown: string, version: number }>(
    'select artifact_type, title, markdown, version from requirement_packages where exploration_id = $1::uuid', [id])
  const gone = stored.filter((old) =>
    !packages.some((part) => part.artifact_type === old.artifact_type) && !old.markdown.startsWith(GONE_NOTE))
  const archived = gone.map(({ title, ...old }) => ({
    type: 'requirement_package' as const,
    exploration_id: id,
    ...old,
    ...(title !== null && { title }),
    markdown: `${GONE_NOTE}${old.markdown}`.slice(0, 5_000_000)
  }))
  return [...packages, ...archived].flatMap((part) => {
    const old = stored.find((one) => one.artifact_type === part.artifact_type)
    if (!old) return { ...part, updated_at: now }
    const isSame = old.markdown === part.markdown && (old.title ?? undefined) === part.title
    return isSame ? [] : { ...part, version: old.version + 1, updated_at: now }
  })
}

/** A plan whose tasks vanished from the source becomes stale, which readers see. */
const changedPlan = async (
  db: Queryable, { exploration: { id }, plan }: SentExploration, now: string
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
  db: Queryable, { exploration: { id }, decisions }: SentExploration
): Promise<RecommendationLine[]> => {
  const rows = await db.query<{ record: RecommendationLine }>(
    `select jsonb_build_object('type', 'recommendation', 'id', id, 'exploration_id', exploration_id, 'kind', kind,
       'title', title, 'body', body, 'status', status, 'approved_by', approved_by,
       'approved_at', case when approved_at is null then null else rfc3339(approved_at) end) as record
     from recommendations where exploration_id = $1::uuid`,
    [id]
  )
  const gone = new Map(rows.map(({ record }) => [record.id, record]))
  const changed = decisions.flatMap(({ record }) => {
    const old = gone.get(record.id)
    gone.delete(record.id)
    return old && same(record, old) ? [] : record
  })
  const missing = [...gone.values()].filter(({ status }) => status !== 'rejected')
  return [...changed, ...missing.map((old) => ({ ...old, status: 'rejected' as const }))]
}

/** Whether the values are equal, whatever the order of fields and the form of times. */
const same = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other)

const canonical = (value: unknown): string =>
  JSON.stringify(sortKeys(value), (key, part: unknown) =>
    key.endsWith('_at') && typeof part === 'string' ? new Date(part).toISOString() : part)
