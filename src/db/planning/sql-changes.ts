/** Reads the changes that database triggers write. */
import { requireRow } from '../sql/rows.js'
import { MAX_ROWS, type ChangedRow, type ChangeSource } from '../../planning/change-feed.js'
import type { Queryable } from '../sql/database.js'

const KEPT = '1 day'

const POSITION = 'select pg_snapshot_xmin(pg_current_snapshot())::text || \'.0\' as position'
const AFTER = `
  select xact::text || '.' || id as position, workspace_id, exploration_id, artifact_type, user_id, credential_id, tools
  from changes where (xact, id) > ($1::text::xid8, $2::bigint) and xact < pg_snapshot_xmin(pg_current_snapshot())
  order by xact, id limit ${MAX_ROWS}`
const RECENTLY = 'select credential_id as id from changes ' +
  "where credential_id is not null and at > now() - interval '1 minute'"

/** The change feed's source on `db`. Positions are `<transaction>.<id>`. */
export const sqlChanges = (db: Queryable): ChangeSource => ({
  async position () {
    return requireRow(await db.query<{ position: string }>(POSITION)).position
  },

  after (position) {
    const [xact = '0', id = '0'] = position.split('.')
    return db.query<ChangedRow>(AFTER, [xact, id])
  },

  async recentlyRevoked () {
    return (await db.query<{ id: string }>(RECENTLY)).map(({ id }) => id)
  },

  async purge () {
    await db.query(`delete from changes where at < now() - interval '${KEPT}'`)
  }
})
