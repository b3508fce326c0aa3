-- A service that has been in use for years: 50,000 explorations in 50 workspaces with what belongs to them, and all else that grows.
-- What triggers and foreign keys would do is done here in bulk, and indexes are made when everything is there.
begin;
set local session_replication_role = replica;
set local maintenance_work_mem = '256MB';

-- A table that was emptied in a transaction is filled in it without a log, where the server keeps no more than a crash needs.
do $$
declare found bool; "table" regclass; empty text[] = '{}';
begin
  for "table" in select oid from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition loop
    execute format('select exists (select from %s)', "table") into found;
    if not found then empty = empty || "table"::text; end if;
  end loop;
  execute 'truncate ' || array_to_string(empty, ', ');
end $$;

create temp table made_last on commit drop as
select i.indexrelid::regclass::text as name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition
from pg_index i join pg_class c on c.oid = i.indexrelid
where i.indrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace) and not i.indisunique and not c.relispartition;
do $$ declare index text; begin for index in select name from made_last loop execute 'drop index ' || index; end loop; end $$;

-- Text and number are concatenated as texts: the operator for both is not immutable, and the function would not be inlined.
create function pg_temp.numbered (kind text, n bigint) returns uuid language sql immutable
return (left(md5(kind || n::text), 8) || '-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid;

-- Words of three syllables; the first of them are in one text of six, the last in hardly any.
create temp table words on commit drop as
select row_number() over (order by md5(a || b || c)) as n, a || b || c as word
from unnest(array['ba', 'ce', 'di', 'fo', 'gu', 'ha', 'je', 'ki', 'lo', 'mu', 'na', 'pe', 'qui', 'ro', 'su', 'ta', 've', 'wi', 'yo', 'zu']) a,
  unnest(array['lar', 'men', 'nis', 'por', 'tur', 'sal', 'ven', 'rim', 'dok', 'bul', 'fag', 'hep', 'jil', 'kos', 'wun', 'zat']) b,
  unnest(array['bo', 'cu', 'da', 'fe', 'gi', 'ho', 'ju', 'ka', 'le', 'mi', 'no', 'pu']) c;
create temp table phrases on commit drop as
select p as n, string_agg(word, ' ' order by m) as phrase
from generate_series(0, 9999) p cross join generate_series(1, 8) m
  join words w on w.n = 1 + floor(3840 * power(('x' || left(md5(p || ' ' || m), 6))::bit(24)::int / 16777216.0, 2))
group by p;
create index on phrases (n);

insert into workspaces (id, slug, name, created_at)
select pg_temp.numbered('a', n), 'workspace-' || n, 'Workspace ' || n, now() from generate_series(1, 50) n;

insert into users (id, email, name, kind, owner_id)
select pg_temp.numbered('b', n), 'user' || n || '@example.com', 'User ' || n, case when n % 10 = 0 then 'service_account' else 'person' end,
  case when n % 10 = 0 then pg_temp.numbered('b', n - 1) end
from generate_series(1, 5000) n;

-- The first sees everything, the others three workspaces each.
insert into memberships (user_id, workspace_id, role) select pg_temp.numbered('b', 1), pg_temp.numbered('a', n), 'viewer' from generate_series(1, 50) n;
insert into memberships (user_id, workspace_id, role)
select pg_temp.numbered('b', n), pg_temp.numbered('a', 1 + (n + m) % 50), 'viewer' from generate_series(2, 5000) n, generate_series(1, 3) m;

insert into explorations (id, workspace_id, title, status, tags, url, summaries, questions, created_at, updated_at)
select pg_temp.numbered('e', e), pg_temp.numbered('a', 1 + e % 50), initcap(phrase) || ' ' || e, (array['draft', 'exploring', 'exploring', 'ready', 'delivered'])[1 + e % 5],
  jsonb_build_array('tag' || e % 201), 'https://plans.example/explorations/' || e || '-a-title',
  jsonb_build_array(jsonb_build_object('kind', 'summary', 'text', 'The plan: ' || phrase || '.')), '[]', now() - e * interval '1 minute', now() - e * interval '1 minute'
from generate_series(1, 50000) e join phrases p on p.n = e % 10000;

-- In the order of the keys: an index to whose end rows are added is quickly filled.
create temp table ids on commit drop as select id, updated_at from explorations order by id;

insert into workspace_tags (workspace_id, tag, explorations)
select workspace_id, tag, count(*) from explorations cross join jsonb_array_elements_text(tags) tag group by workspace_id, tag;

insert into import_origins (workspace_id, source, kind, format, path, id, digest)
select workspace_id, 'https://git.example/plans', 'exploration', 'spec-kit', 'specs/' || id, id, md5(id::text) from explorations;

insert into search_documents (exploration_id, workspace_id, document)
select id, workspace_id, to_tsvector('english', title) from explorations;

-- Of one exploration in ten: the index of all of them would take longer than all else.
insert into exploration_vectors (embedder, exploration_id, chunk, workspace_id, embedding)
select embedders.id, e.id, 0, e.workspace_id, vector from explorations e cross join embedders
  join (select n, (select array_agg(sin(n * axis)) from generate_series(1, (select dimensions from embedders)) axis)::vector as vector from generate_series(0, 4999) n) v
  on v.n * 10 = right(e.id::text, 12)::bigint % 50000;

-- As after a long life of an embedded server.
insert into search_revisions select id, row_number() over () from ids;

-- As when all of it is indexed anew.
insert into search_queue (exploration_id, words) select id, right(id::text, 2) = '00' from ids;

insert into requirement_packages (exploration_id, artifact_type, title, markdown, version, updated_at)
select id, type, 'What ' || type || ' has to do', '# What has to be done', 1, updated_at from ids cross join unnest(array['code', 'design']) type;

-- One exploration in ten has a plan, that which is looked at too.
create temp table planned on commit drop as select id, updated_at from ids where right(id::text, 1) = '8';
insert into execution_plans select id, 1, 'compiled', updated_at from planned;
insert into plan_groups select id, 'g' || n, n, 'Group', n from planned cross join generate_series(1, 2) n;
insert into plan_items select id, 'i' || n, n, 'g' || 1 + n % 2, 'Item', null, 'todo', n from planned cross join generate_series(1, 3) n;
insert into plan_dependencies select id, 1, 'i1', 'i2', 'blocks' from planned;
insert into plan_gates select id, 'g', 1, 'Gate', 'g1', '[]', 'open' from planned;
insert into plan_conflicts select id, 'c', 1, '["i1"]', 'Conflict', 'low', 'open', null from planned;

-- What agents and people wrote about other explorations than the one that is looked at.
create temporary table written as select id, workspace_id, row_number() over (order by id) as n from explorations
  where id <> pg_temp.numbered('e', 8) order by id limit 20000;
insert into questions (exploration_id, position, id, question, status) select id, 1000000 + p, 'q' || p, 'Why?', 'open' from written, generate_series(1, 2) p;
insert into notes (exploration_id, id, item_id, text, written_by) select id, gen_random_uuid(), 'i' || p, 'Note', '{}' from written, generate_series(1, 2) p;
insert into leases select id, 'i1', gen_random_uuid(), pg_temp.numbered('c', 1 + n::int), 'k', pg_temp.numbered('b', 1 + n::int % 5000), 'u', now(),
  now() + interval '1 hour' from written;
insert into proposals (exploration_id, id, state, changes, base, proposed_by, credential_id)
select id, gen_random_uuid(), case when n % 20 = 0 then 'open' else 'accepted' end, '[]', '[]', '{}', pg_temp.numbered('c', 1 + n::int) from written;
insert into package_versions select id, 'code', v, null, 'Before', now() from written, generate_series(2, 3) v;
insert into idempotency_keys select pg_temp.numbered('c', 1 + n::int % 2000), 'k' || n, 'd', '{}', now() from written;
insert into history (exploration_id, workspace_id, kind, target, events)
select id, workspace_id, 'item', 'i1', '[{"kind": "item_changed"}]' from written, generate_series(1, 3);

insert into recommendations (id, exploration_id, kind, title, body, status)
select pg_temp.numbered('d', n), pg_temp.numbered('e', 1 + n % 50000), case when n % 2 = 0 then 'strategy' else 'recommendation' end, 'Recommendation', 'Do it.',
  (array['approved', 'proposed', 'rejected'])[1 + n % 3]
from generate_series(1, 50000) n;

insert into credentials (id, kind, name, user_id, scope, hint, hash, created_at, last_used_at, expires_at, revoked_at)
select pg_temp.numbered('c', n), case when n % 2 = 0 then 'api_key' else 'personal_access_token' end, 'credential ' || n % 5000,
  pg_temp.numbered('b', 1 + n % 5000), 'read', 'svc_', sha256(n::text::bytea), now() - n * interval '1 hour', now(),
  case when n % 3 = 0 then now() + n * interval '1 hour' end, case when n % 5 = 0 then now() end
from generate_series(1, 20000) n;

alter table audit_events disable trigger stamp;
insert into audit_events (at, user_id, credential_id, credential_kind, action, workspace_id, exploration_id, outcome, duration_ms, request_id, remote_address)
select now() - (100000 - n) * interval '2 minutes', pg_temp.numbered('b', 1 + n % 5000), pg_temp.numbered('c', 1 + n % 20000), 'api_key',
  (array['tools/call find_explorations', 'tools/call get_exploration', 'tools/call get_planning_state', 'resources/read'])[1 + n % 4],
  pg_temp.numbered('a', 1 + n % 50), pg_temp.numbered('e', 1 + n % 50000), case when n % 50 = 0 then 'error' else 'ok' end, 5, 'r', '127.0.0.1'
from generate_series(1, 100000) n;
alter table audit_events enable trigger stamp;
-- Counted until two days ago, for as long as counts are kept.
insert into usage_hours (hour, user_id, credential_id, workspace_id, action, client, outcome, calls, latencies)
select date_trunc('hour', at), user_id, credential_id, workspace_id, action, '', outcome, 1, array_fill(0, array[4]) || 1 from audit_events
where at >= date_trunc('hour', now()) - interval '92 days' and at < date_trunc('hour', now()) - interval '2 days';
update usage_progress set counted_until = date_trunc('hour', now()) - interval '2 days';

insert into ended_sessions select sha256(n::text::bytea), now() + n * interval '1 minute' from generate_series(1, 50000) n;
insert into session_notes select 's' || n, 'info', '{}', now() + n * interval '1 minute' from generate_series(1, 50000) n;
insert into tasks (id, credential_id, status, ttl_ms, expires_at, poll_interval_ms, leased_until)
select 't' || n, pg_temp.numbered('c', 1 + n % 20000), case when n % 50 = 0 then 'working' else 'completed' end, 1000, now() + n * interval '1 minute', 1000, now() from generate_series(1, 50000) n;
insert into device_grants (id, device_hash, user_hash, name, remote_address, expires_at, interval_seconds)
select pg_temp.numbered('f', n), sha256(n::text::bytea), sha256(('u' || n)::bytea), 'host', '10.0.0.' || n % 200, now() + n * interval '1 second', 5 from generate_series(1, 900) n;
insert into changes (xact, at, workspace_id, exploration_id)
select (1 + n / 1000)::text::xid8, now() - (100000 - n) * interval '0.9 second', pg_temp.numbered('a', 1 + n % 50), pg_temp.numbered('e', 1 + n % 50000)
from generate_series(1, 100000) n;

insert into oauth_clients (id, kind, name, redirect_uris, refreshable, created_at, last_used_at)
select pg_temp.numbered('o', n), case when n % 100 = 0 then 'preregistered' else 'registered' end, 'Client ' || n, '{https://app.example/cb}', true,
  now() - n * interval '1 minute', now() - n * interval '1 minute'
from generate_series(1, 9000) n;
insert into credentials (id, kind, name, user_id, scope, hint, created_at, expires_at, client_id, client_kind, resource)
select pg_temp.numbered('q', n), 'connection', 'App ' || n, pg_temp.numbered('b', 1 + n % 5000), 'read', 'svc_at_', now() - n * interval '1 minute',
  now() + n * interval '1 hour', pg_temp.numbered('o', 1 + n % 9000)::text, 'registered', 'http://localhost:8080/oauth/mcp'
from generate_series(1, 20000) n;
insert into connection_tokens (hash, credential_id, kind, created_at, expires_at)
select sha256(('token' || n)::bytea), pg_temp.numbered('q', 1 + n % 20000), case when n % 2 = 0 then 'access' else 'refresh' end, now() - n * interval '1 second',
  now() + n * interval '1 second'
from generate_series(1, 100000) n;
insert into oauth_codes (hash, user_id, client_id, client_kind, client_name, redirect_uri, challenge, resource, scope, refreshable, expires_at, credential_id)
select sha256(('code' || n)::bytea), pg_temp.numbered('b', 1 + n % 5000), 'c', 'registered', 'App', 'https://app.example/cb', 'x', 'r', 'read', true,
  now() - n * interval '1 second', pg_temp.numbered('q', n)
from generate_series(1, 20000) n;
insert into oauth_client_documents (client_id, document, fetched_at, fresh_until)
select 'https://app.example/' || n, '{}', now() - n * interval '1 second', now() from generate_series(1, 20000) n;

insert into passkeys (id, user_id, credential_id, public_key, counter, rp_id, name)
select pg_temp.numbered('p', n), pg_temp.numbered('b', 1 + n % 5000), sha256(n::text::bytea), '\x00', n, 'localhost', 'Passkey ' || n from generate_series(1, 20000) n;
insert into web_sessions (id, hash, user_id, method, passkey_id, last_seen_at, expires_at, remote_address)
select pg_temp.numbered('s', n), sha256(n::text::bytea), pg_temp.numbered('b', 1 + n % 5000), 'passkey', pg_temp.numbered('p', 1 + n % 20000),
  now() - n * interval '1 second', now() + n * interval '1 minute', '127.0.0.1'
from generate_series(1, 50000) n;
insert into sign_in_links (hash, user_id, expires_at)
select sha256(n::text::bytea), pg_temp.numbered('b', 1 + n % 5000), now() + n * interval '1 second' from generate_series(1, 20000) n;
insert into used_challenges select sha256(n::text::bytea), now() + n * interval '1 second' from generate_series(1, 20000) n;
insert into invitations (id, hash, email, invited_by, created_at, expires_at, accepted_at)
select pg_temp.numbered('i', n), sha256(n::text::bytea), 'invited' || n || '@example.com', pg_temp.numbered('b', 1 + n % 5000), now() - n * interval '1 hour',
  now() + n * interval '1 hour', case when n % 3 = 0 then now() end
from generate_series(1, 20000) n;
insert into invitation_memberships select pg_temp.numbered('i', n), pg_temp.numbered('a', 1 + n % 50), 'viewer' from generate_series(1, 20000) n;
insert into oidc_identities (issuer, subject, user_id)
select 'https://id.example.com', 'subject ' || n, pg_temp.numbered('b', n) from generate_series(1, 4000) n;

do $$ declare index text; begin for index in select definition from made_last loop execute index; end loop; end $$;
select index_vectors(id) from embedders;
commit;
