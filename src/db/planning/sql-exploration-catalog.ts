/** Explorations of all visible workspaces together, for people who look through them. */
import type { ExplorationStatus } from '../../planning/records.js'
import type { ExplorationSummary, Page, PageRequest } from '../../planning/store.js'
import { sanitizeText } from '../../lib/text/text.js'
import { decodeCursor, encodeCursor, isId, isTimeAndId, pageOf } from '../sql/cursor.js'
import type { Queryable } from '../sql/database.js'
import { omitNulls } from '../sql/rows.js'
import { SUMMARY } from './sql-explorations.js'

interface CatalogRequest extends PageRequest {
  /** Ids of workspaces. */
  visible: readonly string[]
  status?: ExplorationStatus | undefined
  /** Only explorations with exactly this tag. */
  tag?: string | undefined
  /** `updated` unless it is said. */
  sort?: 'updated' | 'title' | undefined
}

export type CatalogEntry = ExplorationSummary & { workspace: { id: string, slug: string, name: string } }

export interface ItemCounts { todo: number, in_progress: number, done: number, blocked: number, total: number }

export type ExplorationCatalog = ReturnType<typeof sqlExplorationCatalog>

const WORKSPACE = "jsonb_build_object('id', w.id, 'slug', w.slug, 'name', w.name) as workspace"
const MATCHING = `($2::text is null or e.status = $2) and ($3::jsonb is null or e.tags @> $3)
  and ($4::timestamptz is null or e.updated_at < $4 or (e.updated_at = $4 and e.id > $5::uuid))`
// Each workspace's newest are read from its index; no more of them are sorted than a page could need.
const BY_WORKSPACE = `
  select e.*, ${WORKSPACE}
  from unnest($1::uuid[]) as visible (id) join workspaces w on w.id = visible.id cross join lateral (
    select ${SUMMARY}, e.updated_at as updated from explorations e where e.workspace_id = w.id and ${MATCHING}
    order by e.updated_at desc, e.id limit $6
  ) e
  order by e.updated desc, e.id limit $6`
// The same by the index of titles.
const TITLE = 'lower(e.title) collate "C"'
const BY_TITLE = `
  select e.*, ${WORKSPACE}
  from unnest($1::uuid[]) as visible (id) join workspaces w on w.id = visible.id cross join lateral (
    select ${SUMMARY}, ${TITLE} as by from explorations e
    where e.workspace_id = w.id and ($2::text is null or e.status = $2) and ($3::jsonb is null or e.tags @> $3)
      and $4::timestamptz is null and ($5::uuid is null or (${TITLE}, e.id) >
        ((select lower(b.title) collate "C" from explorations b where b.id = $5), $5))
    order by ${TITLE}, e.id limit $6
  ) e
  order by e.by, e.id limit $6`
// Most workspaces have nothing with the tag.
const BY_TAG = `
  select ${SUMMARY}, e.updated_at as updated, ${WORKSPACE}
  from explorations e join workspaces w on w.id = e.workspace_id
  where e.tags @> $3::jsonb and e.workspace_id = any($1::uuid[]) and ${MATCHING}
  order by e.updated_at desc, e.id limit $6`

// Each workspace's most frequent are read from its index.
const TAGS = `
  select t.tag, sum(t.explorations)::int as count
  from unnest($1::uuid[]) as visible (id) cross join lateral (
    select tag, explorations from workspace_tags where workspace_id = visible.id
    order by explorations desc, tag limit $2::int
  ) t
  group by t.tag order by count desc, t.tag limit $2::int`

const COUNTS = `
  select x.exploration_id as id, count(i.id) filter (where i.status = 'todo')::int as todo,
    count(i.id) filter (where i.status = 'in_progress')::int as in_progress,
    count(i.id) filter (where i.status = 'done')::int as done,
    count(i.id) filter (where i.status = 'blocked')::int as blocked, count(i.id)::int as total
  from execution_plans x left join plan_items i on i.exploration_id = x.exploration_id
  where x.exploration_id = any($1::uuid[]) group by x.exploration_id`

interface Sorted { updated?: unknown, by?: unknown }

export const sqlExplorationCatalog = (db: Queryable) => ({
  /** Most recently updated first, or by title; then by id. @throws {Refusal} for a cursor of another list */
  async list (
    { visible, status, tag, sort, limit, cursor, signal }: CatalogRequest
  ): Promise<Page<CatalogEntry>> {
    const byTitle = sort === 'title'
    const [id] = byTitle ? decodeCursor('titles', cursor, isId) ?? [] : []
    const after = byTitle ? undefined : decodeCursor('catalog', cursor, isTimeAndId)
    const rows = await db.query<CatalogEntry & Sorted>(
      byTitle ? BY_TITLE : tag === undefined ? BY_WORKSPACE : BY_TAG,
      [
        visible, status ?? null, tag === undefined ? null : JSON.stringify([sanitizeText(tag)]),
        after?.[0] ?? null, id ?? after?.[1] ?? null, limit + 1
      ], { signal })
    const page = pageOf(rows, limit, (row) =>
      byTitle ? encodeCursor('titles', [row.id]) : encodeCursor('catalog', [row.updated_at, row.id]))
    return { ...page, items: page.items.map(({ updated: _, by, ...entry }) => omitNulls(entry)) }
  },

  /** The most frequent first, of `limit` tags of each workspace: a tag that is rare in one is counted without it. */
  tags: (visible: readonly string[], limit: number) =>
    db.query<{ tag: string, count: number }>(TAGS, [visible, limit]),

  /** Items of the plans of these explorations, by exploration; those without a plan are missing. */
  async itemCounts (explorationIds: readonly string[]): Promise<ReadonlyMap<string, ItemCounts>> {
    if (explorationIds.length === 0) return new Map()
    const rows = await db.query<ItemCounts & { id: string }>(COUNTS, [explorationIds])
    return new Map(rows.map(({ id, ...counts }) => [id, counts]))
  }
})
