-- A service account has somebody who answers for it; who made it, and whose it is, is on record.
alter table users
  add column owner_id uuid references users on delete set null,
  add column created_by text;
create index users_owner on users (owner_id) where owner_id is not null;

create function note_service_account () returns trigger language plpgsql as $$
begin
  insert into audit_events (user_id, action, outcome, duration_ms, request_id, remote_address, actor)
  values (new.id, 'service_account/created', 'ok', 0, '-', '-', new.created_by);
  return null;
end $$;
create trigger note_service_account after insert on users for each row when (new.kind = 'service_account') execute function note_service_account();
