/** Explorations on a database: one by one, and by workspace. */
import { decodeCursor, encodeCursor, isTimeAndId, pageOf } from '../sql/cursor.js'
import type { Queryable } from '../sql/database.js'
import { batchLoader } from '../../lib/async/batch-loader.js'
import { uuidsFrom } from '../sql/prefix.js'
import { sanitizeText } from '../../lib/text/text.js'
import type {
  ExplorationDetail, ExplorationPlace, Explorations, ExplorationSummary, QuestionFacts
} from '../../planning/store.js'
import { isUuid } from '../../lib/uuid.js'
import { first, omitNulls } from '../sql/rows.js'

const DETAIL = `
  select asked.place::int as place, row_to_json(detail)::text as json
  from unnest($1::uuid[], $2::text[]) with ordinality asked (id, visible, place) cross join lateral (
    select e.id, e.workspace_id, e.title, e.status, e.tags, e.url, e.summaries, e.questions,
    rfc3339(e.created_at) as created_at, rfc3339(e.updated_at) as updated_at,
    jsonb_build_object('id', w.id, 'slug', w.slug, 'name', w.name) as workspace,
    (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('artifact_type', p.artifact_type, 'title', p.title,
        'version', p.version, 'updated_at', rfc3339(p.updated_at), 'total_chars', p.total_chars))
        order by p.artifact_type), '[]')
      from requirement_packages p where p.exploration_id = e.id) as artifacts,
    (select jsonb_build_object('version', x.version, 'compilation_state', x.compilation_state,
        'updated_at', rfc3339(x.updated_at))
      from execution_plans x where x.exploration_id = e.id) as plan,
    (select count(*)::int from recommendations r
      where r.exploration_id = e.id and r.status = 'approved') as recommendation_count
  from explorations e join workspaces w on w.id = e.workspace_id
  where e.id = asked.id and (asked.visible is null
    or e.workspace_id = any(string_to_array(asked.visible, ',')::uuid[]))) detail`

const LOCATE = `
  select e.id, e.workspace_id,
    array(select p.artifact_type from requirement_packages p
      where p.exploration_id = e.id and p.artifact_type = any($2::text[])) as artifact_types
  from explorations e where e.id = any($1::uuid[])`

/** The columns of an `ExplorationSummary`, of `explorations e`. */
export const SUMMARY = `
  e.id, e.workspace_id, e.title, e.status, e.tags, rfc3339(e.updated_at) as updated_at,
  array(select p.artifact_type from requirement_packages p
    where p.exploration_id = e.id order by p.artifact_type) as artifact_types,
  (select true from execution_plans x where x.exploration_id = e.id) is not null as has_plan`

// The expression of its index. Texts with a prefix lie between it and the prefix with the last character appended.
const TITLE = 'lower(e.title) collate "C"'
// As a second branch of a completion: ids between two UUIDs.
const BY_ID = 'union select e.id, e.title from explorations e ' +
  'where e.workspace_id = any($1::uuid[]) and e.id between $4 and $5'

/** Reads one exploration by a key: its id and, after a space, the visible workspaces, separated by commas. */
export type ReadExplorationDetail = (key: string) => Promise<ExplorationDetail | undefined>

/** Creates the reader of whole explorations on `db`. Reads of a moment share one statement. */
export const explorationDetails = (db: Queryable): ReadExplorationDetail => batchLoader(async (keys) => {
  const requests = keys.map((key) => key.split(' '))
  const rows = await db.query<{ place: number, json: string }>(DETAIL,
    [requests.map(([id]) => id), requests.map(([, visible]) => visible ?? null)])
  return new Map(rows.flatMap(({ place, json }): Array<[string, ExplorationDetail]> => {
    const key = keys[place - 1]
    return key === undefined ? [] : [[key, detailOf(JSON.parse(json))]]
  }))
})

/** The explorations on `db`, with a reader of whole ones that others may share. */
export const explorations = (db: Queryable, details: ReadExplorationDetail): Explorations => ({
  async get (id, visible) {
    if (!isUuid(id)) return undefined
    const places = visible === undefined ? [] : [visible.join(',')]
    return await details([id.toLowerCase(), ...places].join(' '))
  },

  async questionFacts (id) {
    const rows = await db.query<QuestionFacts & { id: string }>(
      `select id, item_id, asked_by ->> 'user' as asked_by, answered_by ->> 'user' as answered_by,
         rfc3339(answered_at) as answered_at from questions
       where exploration_id = $1::uuid and (item_id is not null or asked_by is not null or answered_by is not null)`,
      [id])
    return new Map(rows.map(({ id: question, ...facts }) => [question, omitNulls(facts)]))
  },

  async workspaceOf (id) {
    if (!isUuid(id)) return undefined
    return (await first(db.query<{ workspace_id: string }>(
      'select workspace_id from explorations where id = $1', [id])))?.workspace_id
  },

  async locate (ids, artifactTypes, signal) {
    const values = [ids.filter(isUuid), artifactTypes]
    const rows = await db.query<ExplorationPlace & { id: string }>(LOCATE, values, { signal })
    return new Map(rows.map(({ id, ...place }) => [id, place]))
  },

  async list (workspaceId, { limit, cursor, signal }) {
    if (!isUuid(workspaceId)) return { items: [] }
    const after = decodeCursor('explorations', cursor, isTimeAndId)
    const rows = await db.query<ExplorationSummary>(
      `select ${SUMMARY} from explorations e
       where e.workspace_id = $1
         and ($2::timestamptz is null or e.updated_at < $2 or (e.updated_at = $2 and e.id > $3::uuid))
       order by e.updated_at desc, e.id limit $4`,
      [workspaceId, after?.[0] ?? null, after?.[1] ?? null, limit + 1], { signal })
    return pageOf(rows.map(omitNulls), limit, (row) => encodeCursor('explorations', [row.updated_at, row.id]))
  },

  complete: (visible, prefix, limit) => {
    const ids = uuidsFrom(prefix)
    return db.query(
      `select id, title from (
         select e.id, e.title from unnest($1::uuid[]) as visible (workspace_id) cross join lateral (
           select e.id, e.title from explorations e
           where e.workspace_id = visible.workspace_id
             and ${TITLE} >= $2::text and ${TITLE} < $2::text || chr(1114111)
           order by ${TITLE}, e.id limit $3
         ) e
         ${ids ? BY_ID : ''}
       ) e order by ${TITLE}, e.id limit $3`,
      [visible, sanitizeText(prefix).toLowerCase(), limit, ...ids ?? []])
  }
})

const detailOf = (row: unknown): ExplorationDetail => {
  const { url, ...rest } = row as Omit<ExplorationDetail, 'url'> & { url: string | null }
  return url === null ? rest : { ...rest, url }
}
