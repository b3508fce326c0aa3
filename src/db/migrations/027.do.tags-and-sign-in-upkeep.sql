-- How many explorations of a workspace have a tag, counted by triggers, so that the list of tags reads no explorations.
set local statement_timeout = 0;
create table workspace_tags (
  workspace_id uuid not null references workspaces on delete cascade,
  tag text not null,
  explorations integer not null,
  primary key (workspace_id, tag)
);
create index workspace_tags_frequent on workspace_tags (workspace_id, explorations desc, tag);

-- Writers of tags take turns: counts of the same tags, changed in another order, would be a deadlock. In a workspace that is
-- being deleted there is nothing to count.
create function change_tag_counts (workspaces_of uuid[], tags_of text[], deltas bigint[]) returns void language plpgsql as $$
begin
  if workspaces_of is null then return; end if;
  lock table workspace_tags in share row exclusive mode;
  insert into workspace_tags (workspace_id, tag, explorations)
  select c.workspace_id, c.tag, c.delta from unnest(workspaces_of, tags_of, deltas) c (workspace_id, tag, delta)
  where exists (select from workspaces w where w.id = c.workspace_id)
  on conflict (workspace_id, tag) do update set explorations = workspace_tags.explorations + excluded.explorations;
  if exists (select from unnest(deltas) delta where delta < 0) then
    delete from workspace_tags where workspace_id = any(array(select distinct unnest(workspaces_of))) and explorations <= 0;
  end if;
end $$;

create function count_new_tags () returns trigger language plpgsql as $$
begin
  perform change_tag_counts(array_agg(workspace_id), array_agg(tag), array_agg(delta)) from (
    select workspace_id, tag, sum(delta)::bigint as delta from (
    select new_rows.workspace_id, t.tag, 1 as delta from new_rows cross join lateral (select distinct tag from jsonb_array_elements_text(new_rows.tags) tag) t
    ) changed group by workspace_id, tag having sum(delta) <> 0
  ) changes;
  return null;
end $$;
create trigger count_tags_insert after insert on explorations referencing new table as new_rows
  for each statement execute function count_new_tags();

create function count_changed_tags () returns trigger language plpgsql as $$
begin
  perform change_tag_counts(array_agg(workspace_id), array_agg(tag), array_agg(delta)) from (
    select workspace_id, tag, sum(delta)::bigint as delta from (
    select new_rows.workspace_id, t.tag, 1 as delta from new_rows cross join lateral (select distinct tag from jsonb_array_elements_text(new_rows.tags) tag) t
    union all
    select old_rows.workspace_id, t.tag, -1 as delta from old_rows cross join lateral (select distinct tag from jsonb_array_elements_text(old_rows.tags) tag) t
    ) changed group by workspace_id, tag having sum(delta) <> 0
  ) changes;
  return null;
end $$;
create trigger count_tags_update after update on explorations referencing new table as new_rows old table as old_rows
  for each statement execute function count_changed_tags();

create function count_deleted_tags () returns trigger language plpgsql as $$
begin
  perform change_tag_counts(array_agg(workspace_id), array_agg(tag), array_agg(delta)) from (
    select workspace_id, tag, sum(delta)::bigint as delta from (
    select old_rows.workspace_id, t.tag, -1 as delta from old_rows cross join lateral (select distinct tag from jsonb_array_elements_text(old_rows.tags) tag) t
    ) changed group by workspace_id, tag having sum(delta) <> 0
  ) changes;
  return null;
end $$;
create trigger count_tags_delete after delete on explorations referencing old table as old_rows
  for each statement execute function count_deleted_tags();

insert into workspace_tags (workspace_id, tag, explorations)
select e.workspace_id, t.tag, count(*) from explorations e cross join lateral (
  select distinct tag from jsonb_array_elements_text(e.tags) tag
) t
group by e.workspace_id, t.tag;

-- What the upkeep of sign-ins deletes: sessions that were idle for too long, and old invitations.
create index web_sessions_last_seen on web_sessions (last_seen_at);
create index invitations_expiry on invitations (expires_at);

do $migration$
declare
  name text;
begin
  foreach name in array array['change_tag_counts(uuid[], text[], bigint[])', 'count_new_tags()', 'count_changed_tags()', 'count_deleted_tags()'] loop
    execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', name, current_schema());
  end loop;
end $migration$;
