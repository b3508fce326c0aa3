-- Who brought a credential into the world or out of it, and whether its end is on record.
alter table credentials add column created_by text, add column revoked_by text, add column expiry_noted_at timestamptz;
create index credentials_expiry on credentials (expires_at) where expiry_noted_at is null and revoked_at is null;
alter table device_grants add column decided_by text;

-- Refusals have no known caller, or stand for several of one kind; what is done to credentials has an actor.
alter table audit_events
  alter column user_id drop not null, alter column credential_id drop not null, alter column credential_kind drop not null,
  add column actor text, add column count integer not null default 1;
create index audit_events_credential on audit_events (credential_id, id desc);
create index audit_events_workspace on audit_events (workspace_id, id desc) where workspace_id is not null;
create index audit_events_outcome on audit_events (outcome, id desc) where outcome <> 'ok';

-- The life of credentials, written by triggers, so that no writer can forget it.
create function note_credential_life () returns trigger language plpgsql as $$
declare
  c credentials := coalesce(new, old);
  what text;
begin
  what := case
    when tg_op = 'INSERT' then 'created'
    when tg_op = 'DELETE' then 'deleted'
    when old.revoked_at is null and new.revoked_at is not null then 'revoked'
    when old.expiry_noted_at is null and new.expiry_noted_at is not null then 'expired'
    when old.last_used_at is null and new.last_used_at is not null then 'first_used'
  end;
  if what is not null then
    insert into audit_events (user_id, credential_id, credential_kind, action, outcome, duration_ms, request_id, remote_address, actor)
    values (c.user_id, c.id, c.kind, 'credential/' || what, 'ok', 0, '-', '-',
      case what when 'created' then c.created_by when 'revoked' then c.revoked_by end);
  end if;
  return null;
end $$;
create trigger note_life after insert or delete or update of revoked_at, expiry_noted_at, last_used_at on credentials
  for each row execute function note_credential_life();

-- The one way out of the log: what is older than the operator keeps, never what is younger than a day. The function runs with the
-- rights of the schema's owner, so that the server's own role needs none to delete.
create or replace function refuse_change () returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('audit.purging', true) = 'on' then return null; end if;
  raise exception 'the audit log is append-only';
end $$;

create function purge_audit_events (days integer, most integer) returns integer language plpgsql security definer set search_path from current as $$
declare
  gone integer;
begin
  if days < 1 then raise exception 'the audit log keeps at least one day'; end if;
  perform set_config('audit.purging', 'on', true);
  delete from audit_events where id in (select id from audit_events where at < now() - make_interval(days => days) order by at limit most);
  get diagnostics gone = row_count;
  perform set_config('audit.purging', '', true);
  return gone;
end $$;
revoke all on function purge_audit_events from public;
