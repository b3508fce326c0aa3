-- The server's own role can neither back-date, erase nor shorten the audit log, nor have a function of the owner look into pg_temp first.

-- Who reported an event; null where this server itself recorded it.
alter table audit_events add column reported_by text;

-- Days that the server's own role has to keep events; null keeps them for ever. Only the owner of the schema writes it.
create table audit_retention (
  single boolean primary key default true check (single),
  min_days integer check (min_days >= 1)
);
insert into audit_retention default values;

-- The time is the clock's, also in a transaction that was begun long before. What callers declare is bounded.
create function stamp_audit_event () returns trigger language plpgsql as $$
begin
  new.at := pg_catalog.clock_timestamp();
  new.action := pg_catalog.left(new.action, 500);
  new.client := pg_catalog.left(new.client, 200);
  new.actor := pg_catalog.left(new.actor, 200);
  new.reported_by := pg_catalog.left(new.reported_by, 200);
  return new;
end $$;
create trigger stamp before insert on audit_events for each row execute function stamp_audit_event();

-- Functions of the owner name the schema of whatever they use. {vector} is the schema of that extension, which may be another.
do $migration$
declare
  definition text;
begin
  foreach definition in array array[
    $sql$
    create or replace function {schema}.purge_audit_events (days integer, most integer) returns integer language plpgsql security definer as $$
    declare
      gone integer;
      least_days integer := 1;
    begin
      -- The owner of the schema may do without the retention that it sets for others.
      if not pg_catalog.pg_has_role(session_user, current_user, 'member') then
        select min_days into least_days from {schema}.audit_retention;
        if least_days is null then
          raise exception 'the owner of the schema keeps the audit log for ever'
            using hint = 'Run "exploration-mcp migrate --server-role ROLE" as the owner with AUDIT_RETENTION_DAYS.';
        end if;
      end if;
      if days is null or days < least_days then
        raise exception 'the audit log keeps at least % day(s)', least_days
          using hint = 'Run "exploration-mcp migrate --server-role ROLE" as the owner with AUDIT_RETENTION_DAYS to keep less.';
      end if;
      perform pg_catalog.set_config('audit.purging', 'on', true);
      -- The planner does not know how few the oldest are: as an array they are found one by one.
      delete from {schema}.audit_events where id = any(array(
        select id from {schema}.audit_events where at < pg_catalog.now() - pg_catalog.make_interval(days => days) order by at limit most));
      get diagnostics gone = row_count;
      perform pg_catalog.set_config('audit.purging', '', true);
      if gone > 0 then
        insert into {schema}.audit_events (action, outcome, duration_ms, request_id, remote_address, actor, count)
        values ('audit/purged older than ' || days || ' days', 'ok', 0, '-', '-', 'database role ' || session_user, gone);
      end if;
      return gone;
    end $$
    $sql$,
    $sql$
    create or replace function {schema}.complete_embedder (its_id smallint) returns void language plpgsql security definer as $$
    declare
      old smallint;
    begin
      update {schema}.embedders set completed_at = pg_catalog.clock_timestamp() where id = its_id;
      for old in select id from {schema}.embedders where id <> its_id loop
        execute pg_catalog.format('drop index if exists {schema}.%I', 'exploration_vectors_' || old);
        delete from {schema}.embedders where id = old;
      end loop;
    end $$
    $sql$,
    $sql$
    create or replace function {schema}.adopt_embedder (its_name text, its_version text, its_dimensions integer, its_settings jsonb) returns smallint
    language plpgsql security definer as $$
    declare
      its_id smallint;
      newest smallint;
    begin
      lock table {schema}.embedders in share row exclusive mode;
      select id into newest from {schema}.embedders order by adopted_at desc, id desc limit 1;
      select id into its_id from {schema}.embedders where name = its_name and version = its_version;
      if its_id is not null and its_id = newest then return its_id; end if;
      if its_id is null then
        insert into {schema}.embedders (name, version, dimensions, settings, adopted_at)
        values (its_name, its_version, its_dimensions, its_settings, pg_catalog.clock_timestamp())
        returning id into its_id;
      else
        update {schema}.embedders set adopted_at = pg_catalog.clock_timestamp(), settings = its_settings where id = its_id;
      end if;
      insert into {schema}.search_queue (exploration_id, words) select id, false from {schema}.explorations
      on conflict (exploration_id) do update set change = excluded.change, meaning = true, claimed_until = '-infinity';
      return its_id;
    end $$
    $sql$,
    $sql$
    create or replace function {schema}.index_vectors (its_id smallint) returns void language plpgsql security definer as $$
    declare
      its_index text := 'exploration_vectors_' || its_id;
      its_dimensions integer;
    begin
      if pg_catalog.to_regclass('{schema}.' || its_index) is not null or
        (select count(*) from (select from {schema}.exploration_vectors where embedder = its_id limit 1000) counted) < 1000 then
        return;
      end if;
      lock table {schema}.embedders in share row exclusive mode;
      select dimensions into its_dimensions from {schema}.embedders where id = its_id;
      -- Vectors of more than 2,000 dimensions can be indexed in half precision, of more than 4,000 not at all.
      if its_dimensions <= 4000 and pg_catalog.to_regclass('{schema}.' || its_index) is null then
        execute pg_catalog.format('create index %1$I on {schema}.exploration_vectors using hnsw ((embedding::{vector}.%2$s(%3$s)) ' ||
          '{vector}.%2$s_cosine_ops) with (m = 12, ef_construction = 40) where embedder = %4$s',
          its_index, case when its_dimensions <= 2000 then 'vector' else 'halfvec' end, its_dimensions, its_id);
      end if;
    end $$
    $sql$,
    $sql$
    create or replace function {schema}.take_search_census () returns void language plpgsql as $$
    declare
      before integer;
      present integer;
      sample text;
      counted integer;
    begin
      select explorations into before from {schema}.search_census for update skip locked;
      if not found then return; end if;
      select count(*) into present from {schema}.search_documents;
      if greatest(before, present) < 1000 or present between before * 0.8 and before * 1.2 then return; end if;
      update {schema}.search_census set explorations = present;
      delete from {schema}.commonplace_words;
      if present < 1000 then return; end if;
      sample := pg_catalog.format('select document from {schema}.search_documents tablesample bernoulli (%s) repeatable (1)',
        least(100, 200000.0 / present));
      execute pg_catalog.format('select count(*) from (%s) sampled', sample) into counted;
      insert into {schema}.commonplace_words
      select word, ndoc::real / counted from pg_catalog.ts_stat(sample) where ndoc > counted / 100.0;
    end $$
    $sql$,
    $sql$
    create or replace function {schema}.tidy_search_words () returns void language plpgsql security definer as $$
    begin
      perform {schema}.take_search_census();
      perform pg_catalog.gin_clean_pending_list('{schema}.search_documents_words');
      perform pg_catalog.gin_clean_pending_list('{schema}.explorations_workspace_title');
    end $$
    $sql$
  ] loop
    execute replace(replace(definition, '{schema}', quote_ident(current_schema())), '{vector}', quote_ident((
      select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector')));
  end loop;
end $migration$;

-- Triggers run with the rights of whoever writes; with a path of their own they too cannot be led to a table of pg_temp.
do $migration$
declare
  found regprocedure;
begin
  for found in
    select p.oid::regprocedure from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and p.prosqlbody is null
      and (p.prosecdef or p.prorettype = 'trigger'::regtype or p.proname in ('queue_for_search', 'take_search_census'))
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', found, current_schema());
  end loop;
end $migration$;
