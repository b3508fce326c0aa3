/** Of one exploration: versions of its packages, who holds items, who read and changed it, and what editors see. */
import type { FromSchema } from 'json-schema-to-ts'
import type explorations from '#schemas/operations/explorations.json'
import type { Recommendation } from '../../../planning/records.js'
import type { Queryable } from '../../sql/database.js'
import { omitNulls } from '../../sql/rows.js'

export interface ItemQuestion { id: string, item_id: string, question: string, blocks: boolean }

const VERSIONS = `
  select v.version, rfc3339(v.updated_at) as at, v.size, (
    select h."user" from history h
    where h.exploration_id = $1::uuid and h.kind = 'package' and h.target = $2::text
      and h.after ->> 'version' = v.version::text order by h.id desc limit 1) as by
  from (
    (select version, updated_at, length(markdown) as size from package_versions
      where exploration_id = $1::uuid and artifact_type = $2::text order by version desc limit 100)
    union all
    select version, updated_at, length(markdown) from requirement_packages
      where exploration_id = $1::uuid and artifact_type = $2::text
  ) v order by v.version desc limit 100`

const VERSION = `
  select markdown from requirement_packages
  where exploration_id = $1::uuid and artifact_type = $2::text and version = $3::int
  union all select markdown from package_versions
  where exploration_id = $1::uuid and artifact_type = $2::text and version = $3::int limit 1`

/** No index leads from an exploration to its events: so many of the workspace's newest are looked through. */
const LOOKED_THROUGH = 5000
const activityOf = (ofUser: string): string => `
  select rfc3339(max(a.at)) as at, a.action, coalesce(min(u.email), min(a.actor)) as user, min(c.name) as credential,
    a.client, sum(coalesce(a.count, 1))::int as count
  from (
    select at, action, user_id, credential_id, client, actor, count, exploration_id from audit_events
    where workspace_id = $2::uuid and at > now() - interval '30 days' and outcome = 'ok' ${ofUser}
    order by at desc, id desc limit ${LOOKED_THROUGH}
  ) a left join users u on u.id = a.user_id left join credentials c on c.id = a.credential_id
  where a.exploration_id = $1::uuid
  group by a.action, a.user_id, a.credential_id, a.client order by max(a.at) desc limit 50`

/** Returns the port on `db`. Times are RFC 3339; people are named by their e-mail addresses. */
export const sqlExplorationWork = (db: Queryable) => ({
  /** The newest first, at most 100; `size` is in characters, and `by` is absent for what an import wrote. */
  async versions (exploration: string, type: string) {
    const rows = await db.query<FromSchema<typeof explorations.packageVersions>['versions'][number]>(
      VERSIONS, [exploration, type])
    return rows.map(omitNulls)
  },

  async version (exploration: string, type: string, version: number): Promise<string | undefined> {
    return (await db.query<{ markdown: string }>(VERSION, [exploration, type, version]))[0]?.markdown
  },

  /** Items that are held, and items whose lease is over and that were not claimed again. */
  held: (exploration: string) => db.query<FromSchema<typeof explorations.heldItems>['held'][number]>(
    `select l.item_id, i.title, l."user", l.credential, rfc3339(l.since) as since, rfc3339(l.until) as until,
       l.lapsed or l.until <= now() as lapsed
     from leases l join plan_items i on i.exploration_id = l.exploration_id and i.id = l.item_id
     where l.exploration_id = $1::uuid and i.finished is null order by l.since desc limit 500`, [exploration]),

  /** By whom and what, of the last 30 days and the newest events of its workspace; `user`: only this one's. */
  async activity (exploration: string, workspace: string, user: string | undefined) {
    const rows = await db.query<Omit<FromSchema<typeof explorations.explorationActivity>['activity'][number], 'tool'>>(
      activityOf(user === undefined ? '' : 'and user_id = $3::uuid'),
      [exploration, workspace, ...user === undefined ? [] : [user]])
    return rows.map(omitNulls)
  },

  async revision (exploration: string): Promise<number> {
    return (await db.query<{ revision: number }>(
      'select revision from explorations where id = $1::uuid', [exploration]))[0]?.revision ?? 1
  },

  /** Of every status: strategies first, of them those that are proposed. */
  recommendations: async (exploration: string) => (await db.query<Recommendation>(
    `select id, exploration_id, kind, title, body, status, approved_by, rfc3339(approved_at) as approved_at
     from recommendations where exploration_id = $1::uuid
     order by kind = 'strategy' desc, status <> 'proposed', title, id limit 500`, [exploration])).map(omitNulls),

  /** The open ones that are about an item. */
  itemQuestions: (exploration: string) => db.query<ItemQuestion>(
    `select id, item_id, left(question, 300) as question, blocks_item as blocks from questions
     where exploration_id = $1::uuid and status = 'open' and item_id is not null order by position limit 500`,
    [exploration])
})
