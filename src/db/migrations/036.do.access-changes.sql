-- The embedded server hears of each commit that changed what decides about access: what the statement that verifies a credential has read is then no
-- longer remembered. Its connection, the only one that sets `exploration_mcp.access_changes`, listens itself: the notification arrives with the answer
-- to the commit. Equal notifications of one transaction are one.
create function notify_access_change () returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changes', '');
  return null;
end $$;

do $migration$
declare
  watched text;
  columns text;
begin
  execute format('alter function notify_access_change() set search_path = pg_catalog, %I, pg_temp', current_schema());
  -- Of credentials, not the time of their last use, which calls write.
  for watched, columns in values
    ('users', ''), ('workspaces', ''), ('memberships', ''), ('workspace_revisions', ''), ('connection_tokens', ''),
    ('credentials', ' of id, kind, name, user_id, scope, workspace_ids, hash, resource, expires_at, revoked_at')
  loop
    execute format('create trigger notify_access_change after insert or update%2$s or delete or truncate on %1$I for each statement
      when (current_setting(''exploration_mcp.access_changes'', true) = ''on'') execute function notify_access_change()', watched, columns);
    -- Also in sessions that switch triggers off by session_replication_role, as restores do.
    execute format('alter table %I enable always trigger notify_access_change', watched);
  end loop;
end $migration$;
