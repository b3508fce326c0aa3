-- Whose list of tools may have changed: a workspace's policy, a role there, what a credential may do. Written by triggers, as all changes.
alter table changes add column tools boolean not null default false;

create function note_changed_policy () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, user_id, tools) select new.id, user_id, true from memberships where workspace_id = new.id;
  return null;
end $$;
create trigger note_policy after update of agents, archived_at on workspaces for each row
  when (old.agents <> new.agents or ((old.archived_at is null) <> (new.archived_at is null) and new.agents <> 'read'))
  execute function note_changed_policy();

create function note_changed_role () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, user_id, tools)
  select id, coalesce(new.user_id, old.user_id), true from workspaces
  where id = coalesce(new.workspace_id, old.workspace_id) and agents <> 'read';
  return null;
end $$;
create trigger note_role after insert or update of role or delete on memberships for each row execute function note_changed_role();

create function note_changed_scope () returns trigger language plpgsql as $$
begin
  insert into changes (user_id, tools) values (new.user_id, true);
  return null;
end $$;
create trigger note_scope after update of scope, workspace_ids on credentials for each row
  when (old.scope <> new.scope or old.workspace_ids is distinct from new.workspace_ids) execute function note_changed_scope();

do $migration$
declare
  its_name text;
begin
  foreach its_name in array array['note_changed_policy', 'note_changed_role', 'note_changed_scope'] loop
    execute format('alter function %I() set search_path = pg_catalog, %I, pg_temp', its_name, current_schema());
  end loop;
end $migration$;
