-- What changed of what clients may be looking at, whoever changed it: written by triggers, so that no writer can forget it.
create table changes (
  -- The transaction, since numbers are drawn before it commits: a reader takes only what lies before the oldest one still open.
  xact xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  at timestamptz not null default now(),
  workspace_id uuid,
  exploration_id uuid,
  artifact_type text,
  -- Whose memberships changed.
  user_id uuid,
  -- What no longer works.
  credential_id uuid,
  primary key (xact, id)
);
create index changes_at on changes (at);
create index changes_credential on changes (at) where credential_id is not null;

create function note_new_explorations () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, exploration_id) select workspace_id, id from new_rows;
  return null;
end $$;
create trigger note_insert after insert on explorations referencing new table as new_rows
  for each statement execute function note_new_explorations();

create function note_changed_explorations () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, exploration_id)
  select distinct w.workspace_id, n.id from new_rows n join old_rows o using (id) cross join lateral (values (n.workspace_id), (o.workspace_id)) w (workspace_id)
  where (n.workspace_id, n.title, n.status, n.tags, n.url, n.summaries, n.questions, n.updated_at)
    is distinct from (o.workspace_id, o.title, o.status, o.tags, o.url, o.summaries, o.questions, o.updated_at);
  return null;
end $$;
create trigger note_update after update on explorations referencing new table as new_rows old table as old_rows
  for each statement execute function note_changed_explorations();

create function note_gone_explorations () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, exploration_id) select workspace_id, id from old_rows;
  return null;
end $$;
create trigger note_delete after delete on explorations referencing old table as old_rows
  for each statement execute function note_gone_explorations();

create function note_new_packages () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, exploration_id, artifact_type)
  select e.workspace_id, e.id, n.artifact_type from new_rows n join explorations e on e.id = n.exploration_id;
  return null;
end $$;
create trigger note_insert after insert on requirement_packages referencing new table as new_rows
  for each statement execute function note_new_packages();

create function note_changed_packages () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, exploration_id, artifact_type)
  select e.workspace_id, e.id, n.artifact_type
  from new_rows n join old_rows o using (exploration_id, artifact_type) join explorations e on e.id = n.exploration_id
  where (n.title, n.markdown, n.version, n.updated_at) is distinct from (o.title, o.markdown, o.version, o.updated_at);
  return null;
end $$;
create trigger note_update after update on requirement_packages referencing new table as new_rows old table as old_rows
  for each statement execute function note_changed_packages();

create function note_new_parts () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, exploration_id)
  select distinct e.workspace_id, e.id from new_rows n join explorations e on e.id = n.exploration_id;
  return null;
end $$;
create trigger note_insert after insert on execution_plans referencing new table as new_rows
  for each statement execute function note_new_parts();
create trigger note_insert after insert on recommendations referencing new table as new_rows
  for each statement execute function note_new_parts();

create function note_changed_plans () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, exploration_id)
  select e.workspace_id, e.id from new_rows n join old_rows o using (exploration_id) join explorations e on e.id = n.exploration_id
  where (n.version, n.compilation_state, n.updated_at) is distinct from (o.version, o.compilation_state, o.updated_at);
  return null;
end $$;
create trigger note_update after update on execution_plans referencing new table as new_rows old table as old_rows
  for each statement execute function note_changed_plans();

create function note_changed_recommendations () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, exploration_id)
  select distinct e.workspace_id, e.id from new_rows n join old_rows o using (id) join explorations e on e.id in (n.exploration_id, o.exploration_id)
  where n is distinct from o;
  return null;
end $$;
create trigger note_update after update on recommendations referencing new table as new_rows old table as old_rows
  for each statement execute function note_changed_recommendations();

create function note_workspace () returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' or new is distinct from old then
    insert into changes (workspace_id) values (coalesce(new.id, old.id));
  end if;
  return null;
end $$;
create trigger note_change after insert or update or delete on workspaces for each row execute function note_workspace();

create function note_membership () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, user_id) values (coalesce(new.workspace_id, old.workspace_id), coalesce(new.user_id, old.user_id));
  return null;
end $$;
create trigger note_change after insert or delete on memberships for each row execute function note_membership();

create function note_credential () returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (old.revoked_at is null and new.revoked_at is not null) then
    insert into changes (credential_id) values (old.id);
  end if;
  return null;
end $$;
create trigger note_change after update of revoked_at or delete on credentials for each row execute function note_credential();

create table session_notes (
  session text primary key,
  log_level text,
  subscriptions text[] not null default '{}',
  expires_at timestamptz not null
);
create index session_notes_expiry on session_notes (expires_at);
