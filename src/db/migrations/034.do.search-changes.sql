-- The embedded server hears of each commit that changed what its search has in memory: a search after which nothing was notified needs no statement to
-- know that its memory is as the database. As for the revisions, only its connection sets exploration_mcp.search_revisions, and it listens itself: the
-- notification arrives with the answer to the commit. Equal notifications of one transaction are one.
create or replace function note_search_revision () returns trigger language plpgsql as $$
declare
  its_id uuid;
begin
  if tg_table_name = 'explorations' then its_id := coalesce(new.id, old.id);
  else its_id := coalesce(new.exploration_id, old.exploration_id);
  end if;
  insert into search_revisions (exploration_id, revision) values (its_id, nextval('search_revision'))
  on conflict (exploration_id) do update set revision = excluded.revision;
  perform pg_notify('search_changes', '');
  return null;
end $$;

-- Hits show the names of their workspaces.
create function notify_search_change () returns trigger language plpgsql as $$
begin
  perform pg_notify('search_changes', '');
  return null;
end $$;
create trigger notify_search_change after insert or update or delete or truncate on workspaces for each statement
  when (current_setting('exploration_mcp.search_revisions', true) = 'on') execute function notify_search_change();

do $migration$
begin
  execute format('alter function note_search_revision() set search_path = pg_catalog, %I, pg_temp', current_schema());
  execute format('alter function notify_search_change() set search_path = pg_catalog, %I, pg_temp', current_schema());
end $migration$;
