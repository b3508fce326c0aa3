-- What waits in a workspace is found without passing over what waits in others.
set local statement_timeout = 0;
alter table questions add column workspace_id uuid;
alter table proposals add column workspace_id uuid;
update questions q set workspace_id = e.workspace_id from explorations e where e.id = q.exploration_id;
update proposals p set workspace_id = e.workspace_id from explorations e where e.id = p.exploration_id;
drop index questions_open;
create index questions_open on questions (workspace_id, created_at desc, exploration_id desc) where status = 'open';
create index proposals_waiting on proposals (workspace_id, created_at desc, exploration_id desc) where state = 'open';

create function take_workspace () returns trigger language plpgsql as $$
begin
  select workspace_id into new.workspace_id from explorations where id = new.exploration_id;
  return new;
end $$;
create trigger take_workspace before insert on questions for each row execute function take_workspace();
create trigger take_workspace before insert on proposals for each row execute function take_workspace();

create function move_waiting () returns trigger language plpgsql as $$
begin
  update questions set workspace_id = new.workspace_id where exploration_id = new.id;
  update proposals set workspace_id = new.workspace_id where exploration_id = new.id;
  return null;
end $$;
create trigger move_waiting after update of workspace_id on explorations for each row
  when (old.workspace_id <> new.workspace_id) execute function move_waiting();

do $migration$
declare
  its_name text;
begin
  foreach its_name in array array['take_workspace', 'move_waiting'] loop
    execute format('alter function %I() set search_path = pg_catalog, %I, pg_temp', its_name, current_schema());
  end loop;
end $migration$;
