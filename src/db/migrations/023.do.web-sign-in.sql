-- People sign in to the web application: with links, passkeys, invitations or an OpenID provider. Secrets are stored as SHA-256 only.
alter table users
  add column server_admin boolean not null default false,
  add column deactivated_at timestamptz,
  add column last_sign_in_at timestamptz,
  add column theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  add column time_zone text check (length(time_zone) between 1 and 64);
create index users_server_admin on users (id) where server_admin;

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  -- The host that the passkey belongs to: it works for no other.
  rp_id text not null,
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

create table web_sessions (
  id uuid primary key,
  hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  method text not null check (method in ('link', 'passkey', 'oidc', 'invitation')),
  -- A session ends with the passkey that opened it.
  passkey_id uuid references passkeys on delete cascade,
  -- The provider's ID token for signing out there, encrypted with a key that only the cookie has.
  id_token bytea,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  remote_address text not null,
  user_agent text
);
create index web_sessions_user on web_sessions (user_id, created_at);
create index web_sessions_passkey on web_sessions (passkey_id) where passkey_id is not null;
create index web_sessions_expiry on web_sessions (expires_at);

create table sign_in_links (
  hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sign_in_links_user on sign_in_links (user_id, created_at);
create index sign_in_links_expiry on sign_in_links (expires_at);

-- Challenges carry a signature and an expiry; a row says that one was used. No row is needed after the challenge has expired.
create table used_challenges (
  hash bytea primary key,
  expires_at timestamptz not null
);
create index used_challenges_expiry on used_challenges (expires_at);

create table invitations (
  id uuid primary key,
  hash bytea not null unique,
  email text not null check (length(email) between 3 and 320),
  server_admin boolean not null default false,
  invited_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid references users on delete set null,
  revoked_at timestamptz
);
create index invitations_email on invitations (lower(email));
create index invitations_created on invitations (created_at, id);
create index invitations_invited_by on invitations (invited_by) where invited_by is not null;
create index invitations_accepted_by on invitations (accepted_by) where accepted_by is not null;

create table invitation_memberships (
  invitation_id uuid not null references invitations on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  role text not null check (role in ('viewer', 'editor', 'admin')),
  primary key (invitation_id, workspace_id)
);
create index invitation_memberships_workspace on invitation_memberships (workspace_id);

-- Who a person is at an OpenID provider: found by this at each further sign-in, whatever their address is then.
create table oidc_identities (
  issuer text not null check (length(issuer) between 1 and 2048),
  subject text not null check (length(subject) between 1 and 255),
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create unique index oidc_identities_user on oidc_identities (user_id, issuer);

-- The streams of somebody who was deactivated end as if each of their credentials was revoked.
create function note_deactivation () returns trigger language plpgsql as $$
begin
  insert into changes (credential_id) select id from credentials where user_id = new.id and revoked_at is null;
  return null;
end $$;
create trigger note_deactivation after update of deactivated_at on users for each row
  when (old.deactivated_at is null and new.deactivated_at is not null) execute function note_deactivation();

do $migration$
begin
  execute format('alter function note_deactivation() set search_path = pg_catalog, %I, pg_temp', current_schema());
end $migration$;
