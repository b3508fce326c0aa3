/** Thirty days of calls, the same at each run: what the usage page and the audit log show in pictures. */
import type { Database } from '../../src/db/sql/database.js'

export interface DemoCaller {
  user: string
  credential: string
  kind: 'api_key' | 'connection'
  /** The place of its client in the statement below. */
  client: number
  /** Of all calls, as a weight. */
  share: number
}

/** `width_bucket` picks by weights that are added up. Calls in each hour of a day of work are those from midnight UTC. */
const CALLS = `
  insert into audit_events (at, action, outcome, duration_ms, request_id, client, remote_address, user_id, credential_id, credential_kind,
    exploration_id, workspace_id)
  with callers as (
    select *, sum(share) over (order by share) / sum(share) over () as until from jsonb_to_recordset($1::jsonb)
      as r (credential uuid, "user" uuid, kind text, client int, share float8)
  ), records as (
    select row_number() over (order by id) - 1 as n, count(*) over () as count, id, workspace_id from explorations
  ), drawn as (
    select hour + random() * interval '1 hour' as at, random() as caller, random() as which, random() as luck, random() as speed,
      (array['find_explorations', 'get_exploration', 'get_planning_state', 'get_requirement_package', 'get_recommendations', 'get_planning_full',
        'list_workspaces'])[width_bucket(random() * 86, array[0, 34, 60, 75, 88, 94, 98])] as tool
    from generate_series($2::timestamptz - interval '30 days', $2, '1 hour') hour,
      generate_series(1, ('{0,0,0,1,0,0,2,6,14,18,16,12,7,15,19,17,13,8,4,2,1,1,0,0}'::int[])[extract(hour from hour at time zone 'UTC')::int + 1] *
        (case when extract(isodow from hour at time zone 'UTC') > 5 then 0.2 else 1 + random() end)::numeric)
  )
  select at, case when luck < 0.007 then 'refused minute' else 'tools/call ' || tool end,
    case when luck < 0.007 then 'rate_limited' when luck < 0.016 then 'not_found' else 'ok' end,
    case when luck < 0.007 then 0 else case tool when 'find_explorations' then 18 else 3 end * (1 + speed * 4) + case when luck > 0.97 then 160 else 0 end end,
    'req-' || row_number() over (order by at),
    ('{claude-code/2.1.329,cursor/2.1.4,codex-mcp-client/0.169.0,Visual Studio Code/1.126,opencode/1.17.4}'::text[])[client + 1],
    '10.0.4.' || 17 + client, "user", credential, kind, id, workspace_id
  from drawn join lateral (select * from callers where until >= caller order by until limit 1) one on true
    left join records on tool like 'get_%' and n = floor(which * count)
  where at <= $2 order by at`

/** Adds the calls that end at `now`. The clock of the audit log is switched off meanwhile. */
export const addDemoCalls = async (db: Database, callers: readonly DemoCaller[], now: Date): Promise<void> => {
  await db.script('alter table audit_events disable trigger stamp; select setseed(0.7)')
  await db.query(CALLS, [JSON.stringify(callers), now])
  await db.script('alter table audit_events enable trigger stamp')
}
