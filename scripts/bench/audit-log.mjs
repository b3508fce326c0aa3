// A long audit log, filled by SQL: past months as partitions, each written as a heap first and indexed afterwards, which takes a third of the time of inserts.
import { idOf } from './explorations.mjs'

const USERS = 5000
const CREDENTIALS_OF_A_USER = 4
const WORKSPACES = 200
const EXPLORATIONS = 100_000

// A few users, and a few workspaces, have most of the calls: the cube of a random number from 0 to 1.
const skewed = (count, random) => Math.floor(count * random ** 3)
export const userOf = (random) => idOf('b', skewed(USERS, random))
export const credentialOf = (random) => idOf('c', skewed(USERS, random) * CREDENTIALS_OF_A_USER)
export const workspaceOf = (random) => idOf('a', skewed(WORKSPACES, random))
export const explorationOf = (random) => idOf('e', Math.floor(EXPLORATIONS * random))

const idSql = (kind, n) => `('${kind}0000000-0000-4000-8000-' || lpad((${n})::text, 12, '0'))::uuid`

/** The start of a month (UTC), so many months from this one. */
export const monthStart = (months) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
}

const rowsSql = (name, { firstId, from, to, rows }) => `
  insert into ${name} (id, at, user_id, credential_id, credential_kind, action, workspace_id, exploration_id, outcome, duration_ms,
    request_id, client, remote_address)
  select ${firstId} + n, '${from}'::timestamptz + ('${to}'::timestamptz - '${from}'::timestamptz) * (n::float8 / ${rows + 1}),
    ${idSql('b', 'u')}, ${idSql('c', `u * ${CREDENTIALS_OF_A_USER} + n % ${CREDENTIALS_OF_A_USER}`)}, 'api_key',
    case when a < 0.45 then 'tools/call find_explorations' when a < 0.85 then 'tools/call get_exploration'
      when a < 0.94 then 'resources/read service://exploration/' || ${idSql('e', 'e')}
      when a < 0.97 then 'tools/list' when a < 0.9998 then 'initialize' else 'credential/created' end,
    ${idSql('a', 'w')}, case when a < 0.94 then ${idSql('e', 'e')} end,
    case when o < 0.97 then 'ok' when o < 0.99 then 'error' when o < 0.995 then 'forbidden' when o < 0.9999 then 'rate_limited'
      else 'unavailable' end,
    5 + n % 40, 'req-' || n, 'claude-code/2.1.0', '203.0.113.' || u % 250
  from (
    select n, floor(${USERS} * power(random(), 3))::int as u, floor(${WORKSPACES} * power(random(), 3))::int as w,
      floor(${EXPLORATIONS} * random())::int as e, random() as a, random() as o
    from generate_series(1, ${rows}) n offset 0
  ) drawn`

/** Fills `months` months before this one, and this one up to now, with `rows` rows each. Only for a log that is empty. */
export const fillMonths = async (client, { months, rows }) => {
  const instant = (n) => monthStart(n).toISOString()
  await client.query("set statement_timeout = 0; set maintenance_work_mem = '1GB'; set timezone = 'UTC'; select setseed(0.7)")
  await client.query('alter table audit_events detach partition audit_events_before_months')
  await client.query(`alter table audit_events attach partition audit_events_before_months for values from (minvalue) to ('${instant(-months)}')`)
  for (let n = -months; n <= 0; n++) {
    const name = `audit_events_${instant(n).slice(0, 7).replace('-', '_')}`
    const to = n === 0 ? new Date().toISOString() : instant(n + 1)
    await client.query(`create table ${name} (like audit_events including defaults)`)
    await client.query(rowsSql(name, { firstId: (n + months) * rows, from: instant(n), to, rows }))
    await client.query(`create unique index on ${name} (event_id) where event_id is not null`)
    await client.query(`create trigger audit_events_append_only before update or delete or truncate on ${name}
      for each statement execute function refuse_change()`)
    // Which makes the indexes of the whole table.
    await client.query(`alter table audit_events attach partition ${name} for values from ('${instant(n)}') to ('${instant(n + 1)}')`)
    await client.query(`vacuum (analyze) ${name}`)
  }
  await client.query(`alter table audit_events alter id restart with ${(months + 1) * rows + 1}`)
}
