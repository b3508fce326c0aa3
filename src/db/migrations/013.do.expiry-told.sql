-- Streams of a credential that has expired are told of it by the database's clock, whatever that of their server says.
create or replace function note_credential () returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (old.revoked_at is null and new.revoked_at is not null) or (old.expiry_noted_at is null and new.expiry_noted_at is not null) then
    insert into changes (credential_id) values (old.id);
  end if;
  return null;
end $$;
drop trigger note_change on credentials;
create trigger note_change after update of revoked_at, expiry_noted_at or delete on credentials for each row execute function note_credential();
