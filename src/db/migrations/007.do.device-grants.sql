-- Tools that wait for somebody to approve them (RFC 8628). Codes are kept as hashes only; a row is gone once its token was handed out.
create table device_grants (
  id uuid primary key,
  device_hash bytea not null unique,
  user_hash bytea not null unique,
  client_id text,
  -- What the token is to be called: the host that asks.
  name text not null,
  remote_address text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  interval_seconds integer not null,
  polled_at timestamptz,
  decision text check (decision in ('approved', 'denied')),
  user_id uuid references users on delete cascade
);
create index device_grants_expiry on device_grants (expires_at);
create index device_grants_user on device_grants (user_id);
