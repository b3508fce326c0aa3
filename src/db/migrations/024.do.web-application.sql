-- What the pages of the web application show: archived workspaces, where a credential was last used from, and calls by the hour.

-- An archived workspace disappears from lists and tools; nothing of it is deleted.
alter table workspaces add column archived_at timestamptz;

-- Its members' streams end, and their lists change, as if the membership was.
create function note_archived_workspace () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, user_id) select new.id, user_id from memberships where workspace_id = new.id;
  return null;
end $$;
create trigger note_archived after update of archived_at on workspaces for each row
  when ((old.archived_at is null) <> (new.archived_at is null)) execute function note_archived_workspace();

alter table credentials add column last_used_from text;
create index credentials_created on credentials (created_at desc, id desc);

-- Calls by the hour, counted from the audit log when an hour is over. `latencies` counts them by the step of a scale: see src/db/latency-scale.ts.
create table usage_hours (
  hour timestamptz not null,
  user_id uuid,
  credential_id uuid,
  workspace_id uuid,
  action text not null,
  client text not null,
  outcome text not null,
  calls bigint not null,
  latencies integer[] not null
);
create index usage_hours_hour on usage_hours (hour);
create index usage_hours_user on usage_hours (user_id, hour);

-- All hours before `counted_until` are counted. The row is locked by the replica that counts.
create table usage_progress (
  single boolean primary key default true check (single),
  counted_until timestamptz
);
insert into usage_progress default values;

do $migration$
begin
  execute format('alter function note_archived_workspace() set search_path = pg_catalog, %I, pg_temp', current_schema());
end $migration$;
