-- A lease that is over, as its row of the history says, ends without another row. Otherwise the function is that of 039.
create or replace function end_leases (its_ids uuid[], its_reason text) returns void language sql as $$
  with ended as (
    delete from leases where (exploration_id, item_id) in (select exploration_id, item_id from leases where id = any(its_ids)) returning *
  )
  insert into history (exploration_id, workspace_id, kind, target, before, after, events)
  select l.exploration_id, e.workspace_id, 'lease', l.item_id,
    jsonb_build_object('lease', to_jsonb(l) - 'exploration_id' - 'item_id' || jsonb_build_object('since', rfc3339(l.since), 'until', rfc3339(l.until))),
    jsonb_build_object('lease', null), jsonb_build_array(jsonb_build_object('kind', 'lease_ended', 'item_id', l.item_id, 'text', its_reason))
  from ended l join explorations e on e.id = l.exploration_id where not l.lapsed
$$;
do $migration$ begin
  execute format('alter function end_leases(uuid[], text) set search_path = pg_catalog, %I, pg_temp', current_schema());
end $migration$;
