-- What lists and completion go by, in the order they show it, so that none reads or sorts more than it shows.

-- Most recent first is by time: a list from or until a time begins in the right place.
drop index audit_events_at, audit_events_user, audit_events_credential, audit_events_workspace, audit_events_outcome;
create index audit_events_at on audit_events (at desc, id desc);
create index audit_events_user on audit_events (user_id, at desc, id desc);
create index audit_events_credential on audit_events (credential_id, at desc, id desc);
create index audit_events_workspace on audit_events (workspace_id, at desc, id desc) where workspace_id is not null;
create index audit_events_outcome on audit_events (outcome, at desc, id desc) where outcome <> 'ok';
-- What no person reads is compared byte by byte, so that its beginning finds it.
alter table audit_events alter column action type text collate "C";
create index audit_events_action on audit_events (action);
create index credentials_name on credentials (name);

create index explorations_completion on explorations (workspace_id, (lower(title) collate "C"), id);

-- The planner does not know how few the oldest are: as an array they are found one by one.
create or replace function purge_audit_events (days integer, most integer) returns integer language plpgsql security definer set search_path from current as $$
declare
  gone integer;
begin
  if days < 1 then raise exception 'the audit log keeps at least one day'; end if;
  perform set_config('audit.purging', 'on', true);
  delete from audit_events where id = any(array(select id from audit_events where at < now() - make_interval(days => days) order by at limit most));
  get diagnostics gone = row_count;
  perform set_config('audit.purging', '', true);
  return gone;
end $$;
