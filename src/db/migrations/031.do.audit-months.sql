-- The audit log by months (UTC), so that retention drops a month in place of deleting its rows. What there is becomes the first partition, up to the
-- end of this month: that reads it once and makes its primary key, meanwhile nobody writes. The last partition has no end, so that an event always
-- finds its place, also where nobody has made partitions for long.
set local statement_timeout = 0;
lock table audit_events in access exclusive mode;

alter table audit_events rename to audit_events_before_months;
alter table audit_events_before_months drop constraint audit_events_pkey;
drop index audit_events_at;
drop trigger stamp on audit_events_before_months;
alter index audit_events_user rename to audit_events_before_months_user;
alter index audit_events_credential rename to audit_events_before_months_credential;
alter index audit_events_workspace rename to audit_events_before_months_workspace;
alter index audit_events_outcome rename to audit_events_before_months_outcome;
alter index audit_events_action rename to audit_events_before_months_action;
alter index audit_events_event rename to audit_events_before_months_event;

do $migration$
declare
  next_id bigint := nextval('audit_events_id_seq');
  line text;
begin
  alter table audit_events_before_months alter id drop identity;

  -- The clock's time is a default, because a trigger comes too late to choose the partition: see stamp_audit_event.
  create table audit_events (
    id bigint generated always as identity,
    at timestamptz not null default clock_timestamp(),
    user_id uuid,
    credential_id uuid,
    credential_kind text,
    action text collate "C" not null,
    workspace_id uuid,
    exploration_id uuid,
    outcome text not null,
    duration_ms double precision not null,
    request_id text not null,
    client text,
    remote_address text not null,
    actor text,
    count integer not null default 1,
    event_id uuid,
    reported_by text,
    primary key (at, id)
  ) partition by range (at);
  execute format('alter table audit_events alter id restart with %s', next_id);

  -- A list goes through the primary key or one of these from its end, month by month. Each partition has a unique index on event_id besides, which
  -- a partitioned table cannot have.
  create index audit_events_user on audit_events (user_id, at desc, id desc);
  create index audit_events_credential on audit_events (credential_id, at desc, id desc);
  create index audit_events_workspace on audit_events (workspace_id, at desc, id desc) where workspace_id is not null;
  create index audit_events_outcome on audit_events (outcome, at desc, id desc) where outcome <> 'ok';
  create index audit_events_action on audit_events (action);

  -- Who could read and append still can; on a partition itself nobody but the owner has rights.
  for line in
    select format(case when attname is null then 'grant %1$s on audit_events to %3$s' else 'grant %1$s (%2$I) on audit_events to %3$s' end,
      privilege_type, attname, case grantee when 0 then 'public' else grantee::regrole::text end)
    from (
      select null as attname, a.privilege_type, a.grantee, c.relowner from pg_class c cross join aclexplode(c.relacl) a
      where c.oid = 'audit_events_before_months'::regclass
      union all
      select attname, a.privilege_type, a.grantee, c.relowner from pg_class c join pg_attribute t on t.attrelid = c.oid cross join aclexplode(t.attacl) a
      where c.oid = 'audit_events_before_months'::regclass
    ) granted where grantee <> relowner
  loop
    execute line;
    execute 'revoke all on audit_events_before_months from ' || substring(line from ' to (.*)$');
  end loop;

  execute format('alter table audit_events attach partition audit_events_before_months for values from (minvalue) to (%L)',
    (date_trunc('month', clock_timestamp() at time zone 'UTC') + interval '1 month') at time zone 'UTC');
end $migration$;

-- The trigger audit_events_append_only of the old table stays with it; each partition has one, because that of the whole does not watch its parts.
create trigger audit_events_append_only before update or delete or truncate on audit_events
  for each statement execute function refuse_change();

create view audit_partitions as
select c.relname as name,
  coalesce((regexp_match(bound, 'FROM \(''([^'']+)''\)'))[1]::timestamptz, '-infinity') as starts_at,
  coalesce((regexp_match(bound, 'TO \(''([^'']+)''\)'))[1]::timestamptz, 'infinity') as ends_at
from pg_inherits i join pg_class c on c.oid = i.inhrelid cross join lateral pg_get_expr(c.relpartbound, c.oid) bound
where i.inhparent = 'audit_events'::regclass;

do $migration$
declare
  definition text;
begin
  foreach definition in array array[
    $sql$
    create or replace function {schema}.stamp_audit_event () returns trigger language plpgsql
    set search_path = pg_catalog, {schema}, pg_temp as $$
    begin
      if new.at not between clock_timestamp() - interval '1 minute' and clock_timestamp() + interval '1 minute' then
        raise exception 'the time of an audit event is the time of the clock' using hint = 'Insert the event without a time.';
      end if;
      new.action := left(new.action, 500);
      new.client := left(new.client, 200);
      new.actor := left(new.actor, 200);
      new.reported_by := left(new.reported_by, 200);
      return new;
    end $$
    $sql$,
    -- Events of gateways arrive again when their answer was lost. Within a month the unique index decides, also between two that arrive at once.
    $sql$
    create function {schema}.skip_repeated_audit_event () returns trigger language plpgsql
    set search_path = pg_catalog, {schema}, pg_temp as $$
    begin
      if exists (select from {schema}.audit_events where event_id = new.event_id) then return null; end if;
      return new;
    end $$
    $sql$,
    $sql$
    create function {schema}.create_audit_partition (starts_at timestamptz, ends_at timestamptz) returns void language plpgsql
    set search_path = pg_catalog, {schema}, pg_temp set timezone = 'UTC' as $$
    declare
      its_name text := 'audit_events_' || to_char(starts_at, 'YYYY_MM');
      grantee text;
    begin
      execute format('create table {schema}.%I partition of {schema}.audit_events for values from (%L) to (%s)',
        its_name, starts_at, case when ends_at = 'infinity' then 'maxvalue' else quote_literal(ends_at) end);
      execute format('create unique index %I on {schema}.%I (event_id) where event_id is not null', its_name || '_event', its_name);
      execute format('create trigger audit_events_append_only before update or delete or truncate on {schema}.%I
        for each statement execute function {schema}.refuse_change()', its_name);
      -- Default privileges may have granted something.
      for grantee in
        select distinct case a.grantee when 0 then 'public' else a.grantee::regrole::text end from pg_class c cross join aclexplode(c.relacl) a
        where c.oid = format('{schema}.%I', its_name)::regclass and a.grantee <> c.relowner
      loop
        execute format('revoke all on {schema}.%I from %s', its_name, grantee);
      end loop;
    end $$
    $sql$,
    -- Makes partitions until those of this month and the next are closed at their ends. Waits for no reader: writers would wait behind it.
    $sql$
    create function {schema}.create_audit_partitions () returns integer language plpgsql security definer
    set search_path = pg_catalog, {schema}, pg_temp set timezone = 'UTC' set lock_timeout = '200ms' as $$
    declare
      its_name text;
      its_start timestamptz;
      its_last timestamptz;
      its_end timestamptz;
      locked boolean := false;
      made integer := 0;
    begin
      loop
        select name, starts_at into its_name, its_start from {schema}.audit_partitions where ends_at = 'infinity';
        exit when not found or its_start >= date_trunc('month', now()) + interval '2 months';
        if not locked then
          lock table {schema}.audit_events in access exclusive mode;
          locked := true;
          continue;
        end if;
        -- Usually empty. Otherwise nobody has made partitions for long, and all that it has stays in one.
        execute format('select max(at) from {schema}.%I', its_name) into its_last;
        its_end := greatest(its_start + interval '1 month', date_trunc('month', now()), date_trunc('month', its_last) + interval '1 month');
        execute format('alter table {schema}.audit_events detach partition {schema}.%I', its_name);
        execute format('alter table {schema}.audit_events attach partition {schema}.%I for values from (%L) to (%L)', its_name, its_start, its_end);
        perform {schema}.create_audit_partition(its_end, 'infinity');
        made := made + 1;
      end loop;
      return made;
    exception when lock_not_available then
      return 0;
    end $$
    $sql$,
    -- Drops what is old as a whole, and deletes at most so many rows beside. From 90 days on only whole months are old: deleting all rows one by one
    -- would cost as much as writing them. A month that somebody reads is left to the next time.
    $sql$
    create or replace function {schema}.purge_audit_events (days integer, most integer) returns integer language plpgsql security definer
    set search_path = pg_catalog, {schema}, pg_temp set timezone = 'UTC' set lock_timeout = '200ms' as $$
    declare
      least_days integer := 1;
      its_cutoff timestamptz;
      its_name text;
      its_first timestamptz;
      its_last timestamptz;
      its_rows bigint;
      gone bigint := 0;
    begin
      -- The owner of the schema may do without the retention that it sets for others.
      if not pg_has_role(session_user, current_user, 'member') then
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
      its_cutoff := now() - make_interval(days => days);
      if days >= 90 then its_cutoff := date_trunc('month', its_cutoff); end if;

      foreach its_name in array array(select name from {schema}.audit_partitions where ends_at <= its_cutoff order by ends_at) loop
        begin
          -- Counted before the lock that the drop takes. Of 4 GB and more the statistics have to do: a count could take longer than a statement may.
          if pg_relation_size(format('{schema}.%I', its_name)::regclass) < 4294967296 then
            execute format('select count(*) from {schema}.%I', its_name) into its_rows;
          else
            its_rows := (select greatest(c.reltuples, 0) from pg_catalog.pg_class c where c.oid = format('{schema}.%I', its_name)::regclass);
          end if;
          execute format('drop table {schema}.%I', its_name);
          gone := gone + its_rows;
        exception when lock_not_available or undefined_table then
          null;
        end;
      end loop;

      select min(at), max(at) into its_first, its_last
      from (select at from {schema}.audit_events where at < its_cutoff order by at limit greatest(most, 1)) oldest;
      if found and its_first is not null then
        perform set_config('audit.purging', 'on', true);
        delete from {schema}.audit_events where at >= its_first and at <= its_last;
        get diagnostics its_rows = row_count;
        perform set_config('audit.purging', '', true);
        gone := gone + its_rows;
      end if;

      if gone > 0 then
        insert into {schema}.audit_events (action, outcome, duration_ms, request_id, remote_address, actor, count)
        values ('audit/purged older than ' || days || ' days', 'ok', 0, '-', '-', 'database role ' || session_user, gone);
      end if;
      return gone;
    end $$
    $sql$
  ] loop
    execute replace(definition, '{schema}', quote_ident(current_schema()));
  end loop;
end $migration$;

create trigger skip_repeated before insert on audit_events for each row when (new.event_id is not null) execute function skip_repeated_audit_event();
create trigger stamp before insert on audit_events for each row execute function stamp_audit_event();

revoke all on function create_audit_partitions, create_audit_partition from public;
do $migration$
declare
  grantee regrole;
begin
  for grantee in
    select a.grantee from pg_proc p cross join aclexplode(p.proacl) a
    where p.oid = 'purge_audit_events(integer, integer)'::regprocedure and a.grantee not in (0, p.proowner)
  loop
    execute format('grant execute on function create_audit_partitions to %s', grantee);
  end loop;
end $migration$;

select create_audit_partition(ends_at, 'infinity') from audit_partitions;
select create_audit_partitions();
