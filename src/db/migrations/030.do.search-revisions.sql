-- Which explorations changed, for the embedded server, which keeps in its memory what search reads of them: each statement of its search reads
-- what has a later revision than its memory. Only its connection sets exploration_mcp.search_revisions, and no other database writes rows here.
create sequence search_revision;
create table search_revisions (
  -- No foreign key: what was deleted has to be seen too.
  exploration_id uuid primary key,
  revision bigint not null
);
create index search_revisions_revision on search_revisions (revision);

create function note_search_revision () returns trigger language plpgsql as $$
declare
  its_id uuid;
begin
  if tg_table_name = 'explorations' then its_id := coalesce(new.id, old.id);
  else its_id := coalesce(new.exploration_id, old.exploration_id);
  end if;
  insert into search_revisions (exploration_id, revision) values (its_id, nextval('search_revision'))
  on conflict (exploration_id) do update set revision = excluded.revision;
  return null;
end $$;

do $migration$
declare
  watched text;
begin
  execute format('alter function note_search_revision() set search_path = pg_catalog, %I, pg_temp', current_schema());
  foreach watched in array array['explorations', 'requirement_packages', 'execution_plans', 'search_documents', 'exploration_vectors'] loop
    execute format('create trigger note_search_revision after insert or update or delete on %I for each row
      when (current_setting(''exploration_mcp.search_revisions'', true) = ''on'') execute function note_search_revision()', watched);
  end loop;
end $migration$;
