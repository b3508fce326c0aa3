/** Thirty days of calls, the same at each run: what the usage page and the audit log show in pictures. */
import { createRandom, type Random } from '../../test/helpers/random.js'
import type { Database } from '../../src/db/sql/database.js'

const HOUR_MS = 3_600_000
const DAYS = 30
/** Calls in each hour of a day of work, from midnight UTC. */
const HOURS = [0, 0, 0, 1, 0, 0, 2, 6, 14, 18, 16, 12, 7, 15, 19, 17, 13, 8, 4, 2, 1, 1, 0, 0]
const TOOLS = [
  ['find_explorations', 34], ['get_exploration', 26], ['get_planning_state', 15], ['get_requirement_package', 13], ['get_recommendations', 6],
  ['get_planning_full', 4], ['list_workspaces', 2]
] as const
const CLIENTS = ['claude-code/2.1.329', 'cursor/2.1.4', 'codex-mcp-client/0.169.0', 'Visual Studio Code/1.126', 'opencode/1.17.4'] as const

export interface DemoCaller {
  user: string
  credential: string
  kind: 'api_key' | 'connection'
  /** The place of its client in `CLIENTS`. */
  client: number
  /** Of all calls, as a weight. */
  share: number
}

interface CallRow {
  at: string
  action: string
  outcome: string
  duration_ms: number
  request_id: string
  client: string
  remote_address: string
  user_id: string
  credential_id: string
  credential_kind: DemoCaller['kind']
  exploration_id: string | null
  workspace_id: string | null
}

const weighted = <Item>(random: Random, items: ReadonlyArray<readonly [Item, number]>): Item | undefined => {
  let rest = random.integer(items.reduce((sum, [, weight]) => sum + weight, 0))
  return items.find(([, weight]) => (rest -= weight) < 0)?.[0]
}

/** Adds the calls that end at `now`. The clock of the audit log is switched off meanwhile. */
export const addDemoCalls = async (db: Database, callers: readonly DemoCaller[], now: Date): Promise<void> => {
  const random = createRandom(20261122)
  const explorations = await db.query<{ id: string, workspace_id: string }>('select id, workspace_id from explorations order by id')
  const rows: CallRow[] = []
  const midnight = Math.floor(now.getTime() / (24 * HOUR_MS)) * 24 * HOUR_MS
  for (let hour = -DAYS * 24; hour < 24; hour++) {
    const start = midnight + hour * HOUR_MS
    const day = new Date(start).getUTCDay()
    const usual = HOURS[new Date(start).getUTCHours()] ?? 0
    const calls = day === 0 || day === 6 ? Math.round(usual / 5) : usual + random.integer(usual + 1)
    for (let call = 0; call < calls; call++) {
      const caller = weighted(random, callers.map((each) => [each, each.share] as const))
      const tool = weighted(random, TOOLS) ?? 'find_explorations'
      const exploration = /^get_/.test(tool) ? explorations[random.integer(explorations.length)] : undefined
      const at = start + random.integer(HOUR_MS)
      if (caller === undefined || at > now.getTime()) continue
      const refused = random.integer(140) === 0
      const failed = !refused && random.integer(110) === 0
      rows.push({
        at: new Date(at).toISOString(),
        action: refused ? 'refused minute' : `tools/call ${tool}`,
        outcome: refused ? 'rate_limited' : failed ? 'not_found' : 'ok',
        duration_ms: refused ? 0 : (tool === 'find_explorations' ? 18 : 3) * (1 + random.integer(40) / 10) + (random.integer(30) === 0 ? 160 : 0),
        request_id: `0198c7e2-${String(rows.length).padStart(4, '0')}-7000-8000-5d1f3a9b2c40`,
        client: CLIENTS[caller.client] ?? CLIENTS[0],
        remote_address: `10.0.${caller.client === 1 ? 9 : 4}.${17 + caller.client}`,
        user_id: caller.user,
        credential_id: caller.credential,
        credential_kind: caller.kind,
        exploration_id: exploration?.id ?? null,
        workspace_id: exploration?.workspace_id ?? null
      })
    }
  }
  rows.sort((one, other) => one.at.localeCompare(other.at))
  await db.script('alter table audit_events disable trigger stamp')
  await db.query(
    `insert into audit_events (at, action, outcome, duration_ms, request_id, client, remote_address, user_id, credential_id, credential_kind,
       exploration_id, workspace_id)
     select at, action, outcome, duration_ms, request_id, client, remote_address, user_id, credential_id, credential_kind, exploration_id, workspace_id
     from jsonb_to_recordset($1::jsonb) as r (at timestamptz, action text, outcome text, duration_ms float8, request_id text, client text,
       remote_address text, user_id uuid, credential_id uuid, credential_kind text, exploration_id uuid, workspace_id uuid)`, [JSON.stringify(rows)])
  await db.script('alter table audit_events enable trigger stamp')
}
