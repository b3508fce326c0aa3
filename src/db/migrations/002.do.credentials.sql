create table credentials (
  id uuid primary key,
  kind text not null check (kind in ('api_key', 'personal_access_token')),
  name text not null,
  user_id uuid not null references users on delete cascade,
  scope text not null check (scope in ('read', 'read_write', 'admin')),
  workspace_ids uuid[],
  hint text not null,
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index credentials_user on credentials (user_id);

create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  user_id uuid not null,
  credential_id uuid not null,
  credential_kind text not null,
  action text not null,
  workspace_id uuid,
  exploration_id uuid,
  outcome text not null,
  duration_ms double precision not null,
  request_id text not null,
  client text,
  remote_address text not null
);
create index audit_events_user on audit_events (user_id, id desc);
create index audit_events_at on audit_events (at);

create function refuse_change () returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_events_append_only before update or delete or truncate on audit_events
  for each statement execute function refuse_change();

create table ended_sessions (
  id_hash bytea primary key,
  expires_at timestamptz not null
);
create index ended_sessions_expiry on ended_sessions (expires_at);
