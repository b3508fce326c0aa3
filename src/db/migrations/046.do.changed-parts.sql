-- Gates, conflicts and dependencies ("gate g1") that were changed here since the last import, which does not overwrite them; also those that are gone.
alter table execution_plans add column changed_parts text[] not null default '{}';
update execution_plans x set changed_parts = h.parts from (
  select exploration_id, array_agg(distinct kind || ' ' || target) as parts from history p
  where kind in ('gate', 'conflict', 'dependency') and id > coalesce((select max(id) from history i where i.exploration_id = p.exploration_id and i.kind = 'import'), 0)
  group by exploration_id
) h where h.exploration_id = x.exploration_id;

do $migration$
begin
  execute replace($sql$
    create function {schema}.mark_changed_parts () returns trigger language plpgsql set search_path = pg_catalog, {schema}, pg_temp as $$
    begin
      update execution_plans x set changed_parts = array(select distinct part from unnest(x.changed_parts || n.parts) part)
      from (select exploration_id, array_agg(kind || ' ' || target) as parts from new_rows where kind in ('gate', 'conflict', 'dependency')
        group by exploration_id) n
      where x.exploration_id = n.exploration_id;
      return null;
    end $$
  $sql$, '{schema}', quote_ident(current_schema()));
end $migration$;
create trigger mark_parts after insert on history referencing new table as new_rows for each statement execute function mark_changed_parts();
