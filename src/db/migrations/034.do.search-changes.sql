-- The embedded server hears of each commit that changed what its search has in memory: a search after which nothing was notified needs no statement to
-- know that its memory is as the database. Its connection, the only one for which rows are written here, listens itself: the notification arrives with
-- the answer to the commit. Equal notifications of one transaction are one.
create function notify_search_change () returns trigger language plpgsql as $$
begin
  perform pg_notify('search_changes', '');
  return null;
end $$;
create trigger notify_search_change after insert or update on search_revisions for each statement execute function notify_search_change();

-- Hits show the names of their workspaces.
create trigger notify_search_change after insert or update or delete or truncate on workspaces for each statement
  when (current_setting('exploration_mcp.search_revisions', true) = 'on') execute function notify_search_change();

do $migration$
begin
  execute format('alter function notify_search_change() set search_path = pg_catalog, %I, pg_temp', current_schema());
end $migration$;
