-- Applications that people connect by OAuth. A connection is a row of credentials, so that limits, the audit log and the end of streams
-- know it. Tokens, codes and clients' secrets are stored as SHA-256 only.
alter table credentials
  drop constraint credentials_kind_check,
  alter column hash drop not null,
  add column client_id text,
  add column client_kind text check (client_kind in ('document', 'registered', 'preregistered')),
  -- The host that vouches for the client; null where none does.
  add column client_host text,
  -- The address that the connection's tokens are for (RFC 8707).
  add column resource text,
  add constraint credentials_kind_check check (kind in ('api_key', 'personal_access_token', 'connection')),
  -- A connection has no secret of its own.
  add constraint credentials_hash_check check ((kind = 'connection') = (hash is null)),
  add constraint credentials_client_check
    check (kind <> 'connection' or (client_id is not null and client_kind is not null and resource is not null));
create index credentials_client on credentials (client_id) where client_id is not null;
create index credentials_connections on credentials (created_at desc, id desc) where kind = 'connection';

create table connection_tokens (
  hash bytea primary key,
  credential_id uuid not null references credentials on delete cascade,
  kind text not null check (kind in ('access', 'refresh')),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  -- When a refresh token was first used. A stolen one is noticed by a use long after that.
  used_at timestamptz
);
create index connection_tokens_credential on connection_tokens (credential_id, created_at desc);
create index connection_tokens_expiry on connection_tokens (expires_at);

-- An authorization code is what a person allowed; the connection is made when the code is redeemed.
create table oauth_codes (
  hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  client_id text not null,
  client_kind text not null,
  client_name text not null,
  client_host text,
  redirect_uri text not null,
  challenge text not null,
  resource text not null,
  scope text not null check (scope in ('read', 'read_write', 'admin')),
  workspace_ids uuid[],
  refreshable boolean not null,
  created_by text,
  expires_at timestamptz not null,
  used_at timestamptz,
  credential_id uuid references credentials on delete set null
);
create index oauth_codes_user on oauth_codes (user_id);
create index oauth_codes_expiry on oauth_codes (expires_at);
create index oauth_codes_credential on oauth_codes (credential_id) where credential_id is not null;

-- Clients that registered themselves (RFC 7591), and those that an operator registered.
create table oauth_clients (
  id uuid primary key,
  kind text not null check (kind in ('registered', 'preregistered')),
  name text not null,
  uri text,
  redirect_uris text[] not null,
  refreshable boolean not null,
  secret_hash bytea,
  created_at timestamptz not null default now(),
  created_by text,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index oauth_clients_kind on oauth_clients (kind, created_at);

-- The last valid client ID metadata document of each address.
create table oauth_client_documents (
  client_id text primary key check (length(client_id) <= 2000),
  document jsonb not null,
  fetched_at timestamptz not null default now(),
  fresh_until timestamptz not null
);
create index oauth_client_documents_fetched on oauth_client_documents (fetched_at);
