// The server's own role on PostgreSQL, in an attacker's hands: it cannot become owner, nor back-date, erase or shorten the audit log.
import t, { type Test } from 'tap'
import type { Database, Queryable } from '../../../src/db/sql/database.js'
import { migrate } from '../../../src/db/migrate.js'
import { openPostgres } from '../../../src/db/postgres/postgres.js'
import { admitServerRole } from '../../../src/db/postgres/server-role.js'
import { sqlAuditLog } from '../../../src/db/audit/sql-audit.js'
import { backDated } from '../../helpers/back-dated.js'
import { database, ownDatabase, SERVER } from '../../helpers/database.js'
import { loginRole } from '../../helpers/login-role.js'
import { partitionsOf } from '../../helpers/past-months.js'

const FUNCTIONS = `
  select p.oid::regprocedure::text as name, coalesce((select setting from unnest(p.proconfig) setting where setting like 'search_path=%'), '') as path,
    has_function_privilege('public', p.oid, 'execute') as public, p.prosecdef as definer, p.prosrc as source
  from pg_proc p where p.pronamespace = current_schema()::regnamespace and (p.prosecdef or p.prorettype = 'trigger'::regtype)
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`

interface Found { name: string, path: string, public: boolean, definer: boolean, source: string }

const db = await database(t)

t.test('functions with the rights of the owner, and triggers, look into pg_catalog first and pg_temp last', async (t) => {
  const found = await db.query<Found>(FUNCTIONS)
  t.ok(found.filter(({ definer }) => definer).length >= 5)
  t.ok(found.filter(({ definer }) => !definer).length >= 10)
  for (const { name, path, definer, public: open, source } of found) {
    t.match(path, /^search_path=pg_catalog, \w+, pg_temp$/, name)
    if (!definer) continue
    t.notOk(open, `${name} is not for everybody`)
    for (const [, table] of source.matchAll(/(?:from|into|update|table|join) (?!\()([a-z_.]+)/g)) {
      if (/_|^(?:explorations|embedders)$/.test(table!)) t.match(table, /^(?:public|pg_catalog\.|least_days|its_)/, `${name}: ${table}`)
    }
  }
})

t.test('the time of an event is the clock\'s, and what is declared is bounded', async (t) => {
  const at = (time: string) => `insert into audit_events (at, ${ROW}) values (${time}, ${VALUES})`
  for (const time of ["now() - interval '400 days'", "now() - interval '2 minutes'", "now() + interval '2 minutes'", "'infinity'"]) await t.rejects(db.query(at(time)), /time of the clock/)
  await db.query(`insert into audit_events (${ROW}) values (${VALUES})`)
  await db.query("insert into audit_events (action, outcome, duration_ms, request_id, remote_address, client) select repeat('a', 9999), 'ok', 0, '-', '-', repeat('c', 9999)")
  t.same(await db.query("select at > now() - interval '1 minute' as now, length(action) as action, length(client) as client from audit_events order by id"),
    [{ now: true, action: 4, client: null }, { now: true, action: 500, client: 200 }])
})

t.test('a purge leaves a row', async (t) => {
  await aged(db, 40)
  const audit = sqlAuditLog(db)
  t.equal(await audit.purge(30), 1)
  const rows = () => audit.list({ limit: 9, action: 'audit/' })
  t.match(await rows(), [{ action: 'audit/purged older than 30 days', outcome: 'ok', actor: /^database role \w+$/ }])
  t.equal(await audit.purge(30), 0)
  t.equal((await rows()).length, 1, 'one that took nothing leaves none')
})

t.test('an attacker with the password of the server\'s role', { skip: SERVER === undefined && 'needs TEST_DATABASE_URL' }, async (t) => {
  const { owner, server, role } = await admitted(t, 30)
  const audit = sqlAuditLog(server)
  await audit.record({ action: 'evidence', outcome: 'ok', duration_ms: 0, request_id: '-', remote_address: '-' })
  await aged(owner, 20)
  await aged(owner, 40)
  const evidence = () =>
    owner.query("select action from audit_events where action in ('evidence', 'days 20') order by action")

  const refuses = async (t: Test, refused: ReadonlyArray<[statement: string, why: RegExp]>): Promise<void> => {
    for (const [statement, why] of refused) {
      await t.rejects(server.transaction(async (tx) => {
        await tx.query("select set_config('audit.purging', 'on', true)")
        await tx.query(statement)
      }), why, statement)
    }
    t.same(await evidence(), [{ action: 'days 20' }, { action: 'evidence' }])
  }

  await t.test('shadows the log in pg_temp', async (t) => {
    await t.rejects(server.script('create temp table audit_events (id bigint, at timestamptz)'), /permission denied to create temporary tables/)
    // Even where it may make temporary tables, by a mistake of the operator.
    await owner.query(`grant temporary on database ${await nameOf(owner)} to ${role}`)
    await server.script(ESCALATE)
    const [took] = await server.query<{ gone: number }>('select public.purge_audit_events(30, 10) as gone')
    t.equal(took!.gone, 1, 'what the owner lets go of, of the real log')
    t.same(await server.query('select count(*)::int as n from pg_temp.witness'), [{ n: 0 }], 'no code of the attacker ran')
    t.same(await evidence(), [{ action: 'days 20' }, { action: 'evidence' }])
    for (const privilege of ['delete', 'update', 'truncate', 'trigger']) {
      t.same(
        await owner.query('select has_table_privilege($1::name, $2, $3) as may', [role, 'public.audit_events', privilege]),
        [{ may: false }]
      )
    }
    // Nor is what triggers note led astray.
    await server.query("insert into public.users (id, email, name, kind, created_by) values (gen_random_uuid(), 'b@example.com', 'B', 'service_account', 'mallory')")
    t.same(await owner.query("select actor from public.audit_events where action = 'service_account/created'"), [{ actor: 'mallory' }])
    await server.script('drop table pg_temp.audit_events cascade; drop table pg_temp.audit_retention; drop function pg_temp.steal() cascade')
    await owner.query(`revoke temporary on database ${await nameOf(owner)} from ${role}`)
  })

  await t.test('erases, changes, back-dates, shortens the log, or goes round it to its partitions', async (t) => {
    const partitions = await partitionsOf(owner)
    t.ok(partitions.length >= 3)
    const names = partitions.map(({ name }) => name)
    const self = await ownerOf(owner)
    await refuses(t, ['audit_events', ...names].flatMap((name) => [
      [`delete from ${name}`, /permission denied/],
      [`delete from only ${name}`, /permission denied/],
      [`update ${name} set at = now()`, /permission denied/],
      [`truncate ${name}`, /permission denied/],
      [`drop table ${name}`, /must be owner/],
      [`lock table ${name} in access exclusive mode`, /permission denied/],
      [`alter table ${name} disable trigger all`, /must be owner/],
      [`alter table ${name} rename to other`, /must be owner/],
      [`create trigger mine before insert on ${name} for each row execute function suppress_redundant_updates_trigger()`, /permission denied/],
      [`create rule mine as on insert to ${name} do instead nothing`, /must be owner/],
      [`insert into ${name} (at, ${ROW}) values (now() - interval '400 days', ${VALUES})`, /permission denied/],
      [`insert into ${name} (id, ${ROW}) overriding system value values (1, ${VALUES})`, /permission denied/]
    ]))
    await refuses(t, names.flatMap((name) => [
      [`insert into ${name} (${ROW}) values (${VALUES})`, /permission denied/],
      [`select from ${name}`, /permission denied/],
      [`alter table audit_events detach partition ${name}`, /must be owner/],
      [`alter table audit_events detach partition ${name} concurrently`, /must be owner|transaction block/]
    ]))
    await refuses(t, [
      ['set session_replication_role = replica', /permission denied/],
      ["select setval('audit_events_id_seq', 1)", /permission denied/],
      ['select purge_audit_events(29, 1000000)', /keeps at least 30 day/],
      ['select purge_audit_events(-1, 1000000)', /keeps at least 30 day/],
      ['select purge_audit_events(null, 1000000)', /keeps at least 30 day/],
      ['update audit_retention set min_days = 1', /permission denied/],
      ['delete from audit_retention', /permission denied/],
      ['insert into audit_retention values (false, 1)', /permission denied/],
      ['update schema_migrations set version = 0', /permission denied/],
      ['delete from schema_migrations', /permission denied/],
      ['create or replace function purge_audit_events (days integer, most integer) returns integer language sql as $$ select 1 $$', /permission denied/],
      ['alter function purge_audit_events reset search_path', /must be owner/],
      ['create schema mine', /permission denied/],
      ['create table mine (id int)', /permission denied/],
      ['create extension hstore', /permission denied/],
      [`set role ${self}`, /permission denied/],
      ['set role pg_database_owner', /permission denied/],
      [`grant ${self} to ${role}`, /permission denied/],
      [`alter role ${role} superuser`, /permission denied|must be superuser|must have/],
      ['alter default privileges for role postgres grant all on tables to public', /permission denied/],
      ["copy audit_events to program 'id'", /permission denied/],
      ['delete from embedders', /permission denied/],
      ["create table audit_events_2001_01 partition of audit_events for values from ('2001-01-01') to ('2001-02-01')", /permission denied|must be owner/],
      ["select create_audit_partition('2001-01-01', '2001-02-01')", /permission denied/],
      ["update audit_partitions set ends_at = '2001-01-01'", /permission denied|cannot update/],
      ['create or replace view audit_partitions as select 1', /permission denied|must be owner/],
      ['create or replace function create_audit_partitions () returns integer language sql as $$ select 1 $$', /permission denied/]
    ])
    t.strictSame(await partitionsOf(owner), partitions)
  })

  await t.test('has a partition made, and has no more rights on it than on others', async (t) => {
    const [first, ...later] = await partitionsOf(owner)
    // A mistake of the operator: whatever is created from now on belongs to everybody.
    await owner.script(`alter default privileges in schema public grant all on tables to ${role}, public;
      drop table ${later.map(({ name }) => name).join(', ')}; select create_audit_partition('${first!.ends} UTC', 'infinity')`)
    t.equal(await audit.createPartitions(), 1)
    t.strictSame(await partitionsOf(owner), [first, ...later])
    for (const { name } of later) {
      t.same(await owner.query(`select has_table_privilege($1::name, $2, 'select, insert, update, delete, truncate, trigger') as may,
        has_any_column_privilege($1::name, $2, 'select, insert, update') as some`, [role, `public.${name}`]), [{ may: false, some: false }])
    }
    await owner.script(`alter default privileges in schema public revoke all on tables from ${role}, public`)
    await audit.record({ action: 'goes on', outcome: 'ok', duration_ms: 0, request_id: '-', remote_address: '-' })
  })

  await t.test('holds a transaction open to be early', async (t) => {
    await server.transaction(async (tx) => {
      await tx.query('select now()')
      await owner.query(`insert into audit_events (${ROW}) values ('in between', ${VALUES.slice(VALUES.indexOf(',') + 1)})`)
      await tx.query(`insert into audit_events (${ROW}) values ('late', ${VALUES.slice(VALUES.indexOf(',') + 1)})`)
    })
    t.same(
      await owner.query("select action from audit_events where action in ('late', 'in between') order by at"),
      [{ action: 'in between' }, { action: 'late' }]
    )
  })

  t.match(await audit.list({ limit: 9, action: 'audit/' }), [{
    action: 'audit/purged older than 30 days', actor: `database role ${role}`
  }])
})

t.test('what was granted before does not stay', { skip: SERVER === undefined && 'needs TEST_DATABASE_URL' }, async (t) => {
  const { owner, server, role } = await admitted(t)
  await t.rejects(sqlAuditLog(server).purge(30), /keeps the audit log for ever/)
  const [partition] = await partitionsOf(owner)
  await owner.script(`grant all on schema_migrations, audit_events, ${partition!.name} to ${role}; grant update on audit_retention to public;
    grant execute on function purge_audit_events to public; grant create on schema public to ${role}`)
  await admitServerRole(owner, role, 90)
  for (const table of ['schema_migrations', 'audit_events', partition!.name, 'audit_retention']) await t.rejects(server.query(`delete from ${table}`), /permission denied/)
  await t.rejects(server.query('update audit_retention set min_days = 1'), /permission denied/)
  t.equal(await sqlAuditLog(server).purge(90), 0)
  await t.rejects(sqlAuditLog(server).purge(89), /keeps at least 90 day/)
  const self = await ownerOf(owner)
  const other = `${role}_other`
  await owner.script(`create role ${other}; grant ${other} to ${role}; grant insert (at) on ${partition!.name} to ${other}`)
  await t.rejects(admitServerRole(owner, role, 1), /a partition of the audit log itself/)
  await owner.script(`drop owned by ${other}; drop role ${other}`)
  await owner.query(`alter role ${role} createrole`)
  await t.rejects(admitServerRole(owner, role, 1), /may create roles/)
  await t.rejects(sqlAuditLog(server).purge(89), /keeps at least 90 day/, 'nothing of it was done')
  await owner.query(`alter role ${role} nocreaterole`)
  await owner.query(`grant ${self} to ${role}`)
  await t.rejects(admitServerRole(owner, role), /member of the schema's owner/)
  await owner.query(`revoke ${self} from ${role}`)
})

const ROW = 'action, outcome, duration_ms, request_id, remote_address'
const VALUES = "'call', 'ok', 0, '-', '-'"

// What a function of the owner would run, if it looked into pg_temp before the schema.
const ESCALATE = `
  create temp table witness (as_role text);
  create temp table audit_events (id bigint default 1, at timestamptz default now() - interval '999 days', user_id uuid, credential_id uuid,
    credential_kind text, action text, outcome text, duration_ms float8, request_id text, remote_address text, actor text, count int);
  create temp table audit_retention (single boolean, min_days int);
  insert into pg_temp.audit_retention values (true, 1);
  insert into pg_temp.audit_events (action) values ('bait');
  create function pg_temp.steal() returns trigger language plpgsql as $$
  begin
    if current_user <> session_user then
      insert into pg_temp.witness values (current_user);
      execute format('grant all on all tables in schema public to %I', session_user);
    end if;
    return old;
  end $$;
  grant all on pg_temp.audit_events, pg_temp.audit_retention, pg_temp.witness to public;
  grant execute on function pg_temp.steal to public;
  create trigger steal before delete on pg_temp.audit_events for each row execute function pg_temp.steal();
  set search_path = pg_temp, public;`

const admitted = async (
  t: Test, retentionDays?: number
): Promise<{ owner: Database, server: Database, role: string }> => {
  const url = await ownDatabase(t, SERVER!)
  const owner = await openPostgres(url, { connections: 1 })
  await migrate(owner)
  t.teardown(() => owner.close())
  const { username: role, url: serverUrl } = await loginRole(t, url)
  await admitServerRole(owner, role, retentionDays)
  const server = await openPostgres(serverUrl, { connections: 1 })
  t.teardown(() => server.close())
  return { owner, server, role }
}

const aged = (owner: Database, days: number): Promise<void> =>
  backDated(owner, `values (now() - interval '${days} days', 'days ${days}', 'ok', 0, '-', '-')`)

const nameOf = async (db: Queryable): Promise<string> =>
  (await db.query<{ name: string }>('select current_database() as name'))[0]!.name
const ownerOf = async (db: Queryable): Promise<string> =>
  (await db.query<{ name: string }>('select current_user::text as name'))[0]!.name
