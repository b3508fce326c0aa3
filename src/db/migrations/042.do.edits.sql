-- What people edit in the pages: explorations have a revision, and what was changed here is not overwritten by an import.
alter table explorations add column revision integer not null default 1, add column changed_here text[] not null default '{}';
alter table recommendations add column changed_here boolean not null default false;
-- The choices that an agent offers with its question.
alter table questions add column options jsonb;
-- Accepted in a person's version.
alter table proposals add column edited boolean not null default false;

-- What waits for people, the newest first.
create index questions_open on questions (created_at desc, exploration_id, id) where status = 'open';
create index plan_gates_failed on plan_gates (exploration_id, id) where status = 'failed';
create index leases_lapsed on leases (until desc) where lapsed;

create function raise_revision () returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;
create trigger raise_revision before update on explorations for each row
  when ((old.title, old.status, old.tags, old.summaries) is distinct from (new.title, new.status, new.tags, new.summaries)) execute function raise_revision();

-- What is undone can be done again.
create function keep_removed_package () returns trigger language plpgsql as $$
begin
  insert into package_versions (exploration_id, artifact_type, version, title, markdown, updated_at)
  select exploration_id, artifact_type, version, title, markdown, updated_at from old_rows
  on conflict (exploration_id, artifact_type, version) do update set title = excluded.title, markdown = excluded.markdown, updated_at = excluded.updated_at;
  return null;
end $$;
create trigger keep_removed after delete on requirement_packages referencing old table as old_rows
  for each statement when (pg_trigger_depth() = 0) execute function keep_removed_package();

do $migration$
declare
  its_name text;
begin
  foreach its_name in array array['raise_revision', 'keep_removed_package'] loop
    execute format('alter function %I() set search_path = pg_catalog, %I, pg_temp', its_name, current_schema());
  end loop;
end $migration$;
