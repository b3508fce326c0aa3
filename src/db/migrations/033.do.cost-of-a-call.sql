-- Each workspace has a revision: another one with each committed change of what answers about its explorations are made of, whoever made it. The
-- statement that verifies a credential reads the revisions of the workspaces that it can see, so that a server knows which records are as it read them.
-- Revisions are compared for equality only. A number drawn from a sequence would not do: the transaction with the lower one may commit last. Here a
-- transaction writes the row of the workspace and keeps its lock until it has committed, so each one finds what the one before wrote.
create table workspace_revisions (
  -- No foreign key: a commit would wait for whoever deletes the workspace, and that one for what the transaction has changed.
  workspace_id uuid primary key,
  revision uuid not null
) with (fillfactor = 10);
insert into workspace_revisions select id, gen_random_uuid() from workspaces;

-- The workspaces whose records an open transaction has changed. Nobody but this transaction ever sees its rows.
create unlogged table uncommitted_workspace_changes (
  xact xid8 not null default pg_current_xact_id(),
  workspace_id uuid not null,
  primary key (xact, workspace_id)
);

-- Right before the commit: the locks are held for a moment only, and taken in one order, so that no two transactions wait for each other.
create function renew_workspace_revisions () returns trigger language plpgsql as $$
declare
  changed uuid[];
begin
  with mine as (delete from uncommitted_workspace_changes where xact = pg_current_xact_id() returning workspace_id)
  select array_agg(workspace_id order by workspace_id) into changed from mine;
  if changed is null then
    return null;
  end if;
  insert into workspace_revisions (workspace_id, revision)
  select id, gen_random_uuid() from unnest(changed) with ordinality as c (id, place) order by place
  on conflict (workspace_id) do update set revision = excluded.revision;
  delete from workspace_revisions r where r.workspace_id = any(changed)
    and not exists (select from workspaces w where w.id = r.workspace_id);
  return null;
end $$;
create constraint trigger renew_workspace_revisions after insert on uncommitted_workspace_changes
  deferrable initially deferred for each row execute function renew_workspace_revisions();
-- Also in sessions that switch triggers off by session_replication_role, as restores do; and so the others.
alter table uncommitted_workspace_changes enable always trigger renew_workspace_revisions;

create function note_workspace_change_of_workspaces () returns trigger language plpgsql as $$
begin
  if tg_op in ('UPDATE', 'DELETE') then
    insert into uncommitted_workspace_changes (workspace_id) select id from old_rows on conflict do nothing;
  end if;
  if tg_op in ('UPDATE', 'INSERT') then
    insert into uncommitted_workspace_changes (workspace_id) select id from new_rows on conflict do nothing;
  end if;
  return null;
end $$;

create function note_workspace_change_of_explorations () returns trigger language plpgsql as $$
begin
  if tg_op in ('UPDATE', 'DELETE') then
    insert into uncommitted_workspace_changes (workspace_id) select distinct workspace_id from old_rows on conflict do nothing;
  end if;
  if tg_op in ('UPDATE', 'INSERT') then
    insert into uncommitted_workspace_changes (workspace_id) select distinct workspace_id from new_rows on conflict do nothing;
  end if;
  return null;
end $$;

-- Of rows that belong to an exploration. Those that go with their exploration find none: the change of explorations tells of its workspace.
create function note_workspace_change_of_parts () returns trigger language plpgsql as $$
begin
  if tg_op in ('UPDATE', 'DELETE') then
    insert into uncommitted_workspace_changes (workspace_id)
    select workspace_id from (
      select (select e.workspace_id from explorations e where e.id = part.exploration_id) as workspace_id
      from (select distinct exploration_id from old_rows) part
    ) place where workspace_id is not null on conflict do nothing;
  end if;
  if tg_op in ('UPDATE', 'INSERT') then
    insert into uncommitted_workspace_changes (workspace_id)
    select workspace_id from (
      select (select e.workspace_id from explorations e where e.id = part.exploration_id) as workspace_id
      from (select distinct exploration_id from new_rows) part
    ) place where workspace_id is not null on conflict do nothing;
  end if;
  return null;
end $$;

create function note_workspace_change_of_all () returns trigger language plpgsql as $$
begin
  insert into uncommitted_workspace_changes (workspace_id) select workspace_id from workspace_revisions on conflict do nothing;
  return null;
end $$;

do $migration$
declare
  watched text;
  noted text;
begin
  foreach noted in array array['renew_workspace_revisions', 'note_workspace_change_of_workspaces', 'note_workspace_change_of_explorations',
    'note_workspace_change_of_parts', 'note_workspace_change_of_all']
  loop
    execute format('alter function %I() set search_path = pg_catalog, %I, pg_temp', noted, current_schema());
  end loop;
  foreach watched in array array['workspaces', 'explorations', 'requirement_packages', 'execution_plans', 'plan_groups', 'plan_items',
    'plan_dependencies', 'plan_gates', 'plan_conflicts', 'recommendations']
  loop
    noted := 'note_workspace_change_of_' || case when watched in ('workspaces', 'explorations') then watched else 'parts' end;
    execute format('create trigger note_workspace_change_insert after insert on %I referencing new table as new_rows
      for each statement execute function %I()', watched, noted);
    execute format('create trigger note_workspace_change_update after update on %I referencing old table as old_rows new table as new_rows
      for each statement execute function %I()', watched, noted);
    execute format('create trigger note_workspace_change_delete after delete on %I referencing old table as old_rows
      for each statement execute function %I()', watched, noted);
    execute format('create trigger note_workspace_change_truncate after truncate on %I
      for each statement execute function note_workspace_change_of_all()', watched);
    execute format('alter table %1$I enable always trigger note_workspace_change_insert, enable always trigger note_workspace_change_update,
      enable always trigger note_workspace_change_delete, enable always trigger note_workspace_change_truncate', watched);
  end loop;
end $migration$;

-- The function is called only for an event that it would refuse or shorten: a call of it takes as long as two of the indexes.
drop trigger stamp on audit_events;
create trigger stamp before insert on audit_events for each row when (
  new.at not between clock_timestamp() - interval '1 minute' and clock_timestamp() + interval '1 minute'
  or length(new.action) > 500 or length(new.client) > 200 or length(new.actor) > 200 or length(new.reported_by) > 200
) execute function stamp_audit_event();
