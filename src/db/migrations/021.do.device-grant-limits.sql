-- What the token of an approved tool may do, as the administrator limited it; null: all that its user may, for the usual time.
alter table device_grants
  add column scope text check (scope in ('read', 'read_write', 'admin')),
  add column workspace_ids uuid[],
  add column lifetime_seconds bigint check (lifetime_seconds > 0);
