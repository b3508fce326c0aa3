-- The planner has to know how much there is to search: without it, a caller's vectors are compared one by one although they have an index. A
-- database without a vacuum of its own never counts; one with it does so a minute later than the first search.
create function analyze_search () returns trigger language plpgsql as $$
begin
  analyze explorations (workspace_id), exploration_vectors (embedder, workspace_id), search_documents (workspace_id);
  return null;
end $$;
create trigger analyze_search after update on search_census for each statement execute function analyze_search();
do $migration$ begin
  execute format('alter function analyze_search() set search_path = pg_catalog, %I, pg_temp', current_schema());
end $migration$;
-- Of what is there already.
update search_census set explorations = explorations;
