-- The schema of build 4b5ce812, and what that build recorded of the migrations 1 to 36, which made it step by step. Only a new database begins here.
create extension if not exists vector;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Without `immutable`, which to_char is not, it is part of a statement's own expression.
create function rfc3339 (at timestamptz) returns text language sql stable parallel safe
return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

create table workspaces (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  description text,
  created_at timestamptz not null,
  -- An archived workspace disappears from lists and tools; nothing of it is deleted.
  archived_at timestamptz
);

-- A service account has somebody who answers for it; who made it, and whose it is, is on record.
create table users (
  id uuid primary key,
  email text not null,
  name text not null,
  kind text not null check (kind in ('person', 'service_account')),
  owner_id uuid references users on delete set null,
  created_by text,
  server_admin boolean not null default false,
  deactivated_at timestamptz,
  last_sign_in_at timestamptz,
  theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  time_zone text check (length(time_zone) between 1 and 64)
);
create unique index users_email on users (lower(email));
create index users_owner on users (owner_id) where owner_id is not null;
create index users_server_admin on users (id) where server_admin;

create table memberships (
  user_id uuid not null references users on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  role text not null check (role in ('viewer', 'editor', 'admin')),
  primary key (user_id, workspace_id)
);
create index memberships_workspace on memberships (workspace_id);

-- Long texts are kept as they are: to compress them takes longer than anything else about writing them, and each read has to undo it.
-- Lists are cut by the times and show them in milliseconds: what is finer would be skipped between two pages.
create table explorations (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  title text not null,
  status text not null check (status in ('draft', 'exploring', 'ready', 'delivered', 'archived')),
  tags jsonb not null,
  url text,
  summaries jsonb storage external not null,
  questions jsonb storage external not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index explorations_workspace on explorations (workspace_id, updated_at desc, id);
create index explorations_status on explorations (workspace_id, status, updated_at desc, id);
create index explorations_tags on explorations using gin (tags jsonb_path_ops);
create index explorations_title_prefix on explorations (lower(title) text_pattern_ops);
create index explorations_completion on explorations (workspace_id, (lower(title) collate "C"), id);
-- With the workspace in it, what one workspace has is not looked for among all titles.
create index explorations_workspace_title on explorations using gin (workspace_id, title gin_trgm_ops);
-- The number that the last part of an address begins with, as trackers give them ("…/1287-title"), so that it is found by that.
create index explorations_reference on explorations ((substring(url from '/([0-9]{1,9})(?:-[^/]*)?/?$'))) where url is not null;

create table requirement_packages (
  exploration_id uuid not null references explorations on delete cascade,
  artifact_type text not null,
  title text,
  markdown text storage external not null,
  version integer not null,
  updated_at timestamptz not null,
  -- As readers count it (UTF-16 code units), measured once: an exploration lists its packages with their lengths.
  total_chars integer not null
    generated always as (char_length(markdown) + regexp_count(markdown, '[\U00010000-\U0010FFFF]')) stored,
  primary key (exploration_id, artifact_type)
);

create table execution_plans (
  exploration_id uuid primary key references explorations on delete cascade,
  version integer not null,
  compilation_state text not null check (compilation_state in ('not_compiled', 'compiling', 'compiled', 'failed', 'stale')),
  updated_at timestamptz not null
);

create table plan_groups (
  exploration_id uuid not null references execution_plans on delete cascade,
  id text not null,
  position integer not null,
  title text not null,
  "order" double precision not null,
  primary key (exploration_id, id)
);

create table plan_items (
  exploration_id uuid not null,
  id text not null,
  position integer not null,
  group_id text not null,
  title text not null,
  description text,
  status text not null check (status in ('todo', 'in_progress', 'done', 'blocked')),
  "order" double precision not null,
  primary key (exploration_id, id),
  foreign key (exploration_id, group_id) references plan_groups on delete cascade
);
-- A plan that goes, goes group by group and item by item, and each looks for what refers to it: by this index, and by the next two.
create index plan_items_group on plan_items (exploration_id, group_id);

create table plan_dependencies (
  exploration_id uuid not null,
  position integer not null,
  item_id text not null,
  depends_on text not null,
  kind text not null check (kind in ('blocks', 'relates')),
  primary key (exploration_id, position),
  foreign key (exploration_id, item_id) references plan_items on delete cascade,
  foreign key (exploration_id, depends_on) references plan_items on delete cascade
);
create index plan_dependencies_item on plan_dependencies (exploration_id, item_id);
create index plan_dependencies_depends_on on plan_dependencies (exploration_id, depends_on);

create table plan_gates (
  exploration_id uuid not null,
  id text not null,
  position integer not null,
  title text not null,
  after_group_id text not null,
  criteria jsonb not null,
  status text not null check (status in ('open', 'passed', 'failed')),
  primary key (exploration_id, id),
  foreign key (exploration_id, after_group_id) references plan_groups on delete cascade
);

create table plan_conflicts (
  exploration_id uuid not null references execution_plans on delete cascade,
  id text not null,
  position integer not null,
  item_ids jsonb not null,
  description text not null,
  severity text not null check (severity in ('low', 'medium', 'high')),
  status text not null check (status in ('open', 'resolved')),
  resolution text,
  primary key (exploration_id, id)
);

create table recommendations (
  id uuid primary key,
  exploration_id uuid not null references explorations on delete cascade,
  kind text not null check (kind in ('strategy', 'recommendation')),
  title text not null,
  body text not null,
  status text not null check (status in ('proposed', 'approved', 'rejected')),
  approved_by uuid,
  approved_at timestamptz
);
create index recommendations_exploration on recommendations (exploration_id, status);

-- Where explorations and decisions that an importer made come from, so that an import again finds them: by the path or the key that their source has
-- for them, which a rename changes. `digest` is that of the records as they were last written; null while a write is under way.
create table import_origins (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  source text not null check (length(source) between 1 and 1000),
  kind text not null check (kind in ('exploration', 'recommendation')),
  format text not null check (length(format) between 1 and 64),
  path text not null check (length(path) between 1 and 10000),
  id uuid not null,
  digest text,
  primary key (workspace_id, source, kind, format, path)
);
create index import_origins_id on import_origins (id);

-- How many explorations of a workspace have a tag, counted by triggers, so that the list of tags reads no explorations.
create table workspace_tags (
  workspace_id uuid not null references workspaces on delete cascade,
  tag text not null,
  explorations integer not null,
  primary key (workspace_id, tag)
);
create index workspace_tags_frequent on workspace_tags (workspace_id, explorations desc, tag);

-- A connection of an application is a row too, so that limits, the audit log and the end of streams know it. Secrets are stored as SHA-256 only.
create table credentials (
  id uuid primary key,
  kind text not null check (kind in ('api_key', 'personal_access_token', 'connection')),
  name text not null,
  user_id uuid not null references users on delete cascade,
  scope text not null check (scope in ('read', 'read_write', 'admin')),
  workspace_ids uuid[],
  hint text not null,
  hash bytea unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_by text,
  revoked_by text,
  expiry_noted_at timestamptz,
  last_used_from text,
  client_id text,
  client_kind text check (client_kind in ('document', 'registered', 'preregistered')),
  -- The host that vouches for the client; null where none does.
  client_host text,
  -- The address that the connection's tokens are for (RFC 8707).
  resource text,
  -- A connection has no secret of its own.
  constraint credentials_hash_check check ((kind = 'connection') = (hash is null)),
  constraint credentials_client_check
    check (kind <> 'connection' or (client_id is not null and client_kind is not null and resource is not null))
);
create index credentials_user on credentials (user_id);
create index credentials_expiry on credentials (expires_at) where expiry_noted_at is null and revoked_at is null;
create index credentials_name on credentials (name);
create index credentials_created on credentials (created_at desc, id desc);
create index credentials_workspaces on credentials using gin (workspace_ids) where workspace_ids is not null;
create index credentials_client on credentials (client_id) where client_id is not null;
create index credentials_connections on credentials (created_at desc, id desc) where kind = 'connection';

-- What tells the keys of this deployment from those of another: six characters of base32.
create table deployment (
  single boolean primary key default true check (single),
  tag text not null default upper(translate(left(md5(gen_random_uuid()::text), 6), '0189', 'ghij'))
);
insert into deployment default values;

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
  user_id uuid references users on delete cascade,
  decided_by text,
  -- What the token may do, as the administrator limited it; null: all that its user may, for the usual time.
  scope text check (scope in ('read', 'read_write', 'admin')),
  workspace_ids uuid[],
  lifetime_seconds bigint check (lifetime_seconds > 0)
);
create index device_grants_expiry on device_grants (expires_at);
create index device_grants_user on device_grants (user_id);

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

-- People sign in to the web application: with links, passkeys, invitations or an OpenID provider. Secrets are stored as SHA-256 only.
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
create index web_sessions_last_seen on web_sessions (last_seen_at);

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
create index invitations_expiry on invitations (expires_at);
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

create table ended_sessions (
  id_hash bytea primary key,
  expires_at timestamptz not null
);
create index ended_sessions_expiry on ended_sessions (expires_at);

create table session_notes (
  session text primary key,
  log_level text,
  subscriptions text[] not null default '{}',
  expires_at timestamptz not null
);
create index session_notes_expiry on session_notes (expires_at);

-- Work that goes on after its request was answered. Only that build has it.
create table tasks (
  id text primary key,
  credential_id uuid not null,
  status text not null default 'working' check (status in ('working', 'input_required', 'completed', 'failed', 'cancelled')),
  status_message text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  ttl_ms bigint not null,
  expires_at timestamptz not null,
  poll_interval_ms integer not null,
  input_requests jsonb not null default '{}',
  input_responses jsonb not null default '{}',
  result jsonb,
  error jsonb,
  cancel_requested boolean not null default false,
  -- Until when its process is believed to be at work.
  leased_until timestamptz not null
);
create index tasks_credential on tasks (credential_id) where status in ('working', 'input_required');
create index tasks_expiry on tasks (expires_at);

-- Who did what, by months (UTC), so that retention drops a month in place of deleting its rows. The last partition has no end, so that an event always
-- finds its place, also where nobody has made partitions for long. The clock's time is a default: a trigger comes too late to choose the partition.
create table audit_events (
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  -- Refusals have no known caller, or stand for several of one kind; what is done to credentials has an actor.
  user_id uuid,
  credential_id uuid,
  credential_kind text,
  -- What no person reads is compared byte by byte, so that its beginning finds it.
  action text collate "C" not null,
  workspace_id uuid,
  exploration_id uuid,
  outcome text not null,
  duration_ms double precision not null,
  request_id text not null,
  client text,
  remote_address text not null,
  actor text,
  count integer not null default 1,
  -- An event that a gateway sends again is kept once.
  event_id uuid,
  -- Who reported an event; null where this server itself recorded it.
  reported_by text,
  primary key (at, id)
) partition by range (at);
-- A list goes through the primary key or one of these from its end, month by month. Each partition has a unique index on event_id besides, which
-- a partitioned table cannot have.
create index audit_events_user on audit_events (user_id, at desc, id desc);
create index audit_events_credential on audit_events (credential_id, at desc, id desc);
create index audit_events_workspace on audit_events (workspace_id, at desc, id desc) where workspace_id is not null;
create index audit_events_outcome on audit_events (outcome, at desc, id desc) where outcome <> 'ok';
create index audit_events_action on audit_events (action);

-- The one way out of the log: what is older than the operator keeps, never what is younger than a day.
create function refuse_change () returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('audit.purging', true) = 'on' then return null; end if;
  raise exception 'the audit log is append-only';
end $$;
-- Each partition has this trigger too, because that of the whole does not watch its parts.
create trigger audit_events_append_only before update or delete or truncate on audit_events
  for each statement execute function refuse_change();

-- What callers declare is bounded. A call takes as long as two of the indexes: it is made only for an event that would be refused or shortened.
create function stamp_audit_event () returns trigger language plpgsql as $$
begin
  if new.at not between clock_timestamp() - interval '1 minute' and clock_timestamp() + interval '1 minute' then
    raise exception 'the time of an audit event is the time of the clock' using hint = 'Insert the event without a time.';
  end if;
  new.action := left(new.action, 500);
  new.client := left(new.client, 200);
  new.actor := left(new.actor, 200);
  new.reported_by := left(new.reported_by, 200);
  return new;
end $$;
create trigger stamp before insert on audit_events for each row when (
  new.at not between clock_timestamp() - interval '1 minute' and clock_timestamp() + interval '1 minute'
  or length(new.action) > 500 or length(new.client) > 200 or length(new.actor) > 200 or length(new.reported_by) > 200
) execute function stamp_audit_event();

-- Within a month the unique index decides, also between two events that arrive at once.
create function skip_repeated_audit_event () returns trigger language plpgsql as $$
begin
  if exists (select from audit_events where event_id = new.event_id) then return null; end if;
  return new;
end $$;
create trigger skip_repeated before insert on audit_events for each row when (new.event_id is not null) execute function skip_repeated_audit_event();

create view audit_partitions as
select c.relname as name,
  coalesce((regexp_match(bound, 'FROM \(''([^'']+)''\)'))[1]::timestamptz, '-infinity') as starts_at,
  coalesce((regexp_match(bound, 'TO \(''([^'']+)''\)'))[1]::timestamptz, 'infinity') as ends_at
from pg_inherits i join pg_class c on c.oid = i.inhrelid cross join lateral pg_get_expr(c.relpartbound, c.oid) bound
where i.inhparent = 'audit_events'::regclass;

-- The first partition has the name that it has in databases whose log began before there were months.
do $migration$
begin
  execute format('create table audit_events_before_months partition of audit_events for values from (minvalue) to (%L)',
    (date_trunc('month', clock_timestamp() at time zone 'UTC') + interval '1 month') at time zone 'UTC');
end $migration$;
create unique index audit_events_before_months_event on audit_events_before_months (event_id) where event_id is not null;
create trigger audit_events_append_only before update or delete or truncate on audit_events_before_months
  for each statement execute function refuse_change();

-- Days that the server's own role has to keep events; null keeps them for ever. Only the owner of the schema writes it.
create table audit_retention (
  single boolean primary key default true check (single),
  min_days integer check (min_days >= 1)
);
insert into audit_retention default values;

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

create function note_service_account () returns trigger language plpgsql as $$
begin
  insert into audit_events (user_id, action, outcome, duration_ms, request_id, remote_address, actor)
  values (new.id, 'service_account/created', 'ok', 0, '-', '-', new.created_by);
  return null;
end $$;
create trigger note_service_account after insert on users for each row when (new.kind = 'service_account') execute function note_service_account();

-- Calls by the hour, counted from the audit log when an hour is over. `latencies` counts them by the step of a scale: see src/db/postgres/latency-scale.ts.
create table usage_hours (
  hour timestamptz not null,
  user_id uuid,
  credential_id uuid,
  workspace_id uuid,
  action text not null,
  client text not null,
  outcome text not null,
  calls bigint not null,
  latencies integer[] not null
);
create index usage_hours_hour on usage_hours (hour);
create index usage_hours_user on usage_hours (user_id, hour);

-- All hours before `counted_until` are counted. The row is locked by the replica that counts.
create table usage_progress (
  single boolean primary key default true check (single),
  counted_until timestamptz
);
insert into usage_progress default values;

-- Sums of usage_hours for everybody (subject_id is null), each workspace and each user, by hour and by whole day in UTC: a
-- question about a month reads these instead of every row. `kind` says what `key` is: 'all' (''), 'credential' (its id),
-- 'tool', 'client', or 'refusal' (its reason). See src/db/audit/usage-counting.ts.
create table usage_sums (
  span text not null check (span in ('hour', 'day')),
  start timestamptz not null,
  subject_id uuid,
  kind text not null check (kind in ('all', 'credential', 'tool', 'client', 'refusal')),
  key text not null,
  calls bigint not null,
  errors bigint not null,
  refused bigint not null,
  latencies integer[] not null
);
create index usage_sums_key on usage_sums (subject_id, kind, span, key, start);
create index usage_sums_start on usage_sums (start);

-- What changed of what clients may be looking at, whoever changed it: written by triggers, so that no writer can forget it.
create table changes (
  -- The transaction, since numbers are drawn before it commits: a reader takes only what lies before the oldest one still open.
  xact xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  at timestamptz not null default now(),
  workspace_id uuid,
  exploration_id uuid,
  artifact_type text,
  -- Whose memberships changed.
  user_id uuid,
  -- What no longer works.
  credential_id uuid,
  primary key (xact, id)
);
create index changes_at on changes (at);
create index changes_credential on changes (at) where credential_id is not null;

create function note_new_explorations () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, exploration_id) select workspace_id, id from new_rows;
  return null;
end $$;
create trigger note_insert after insert on explorations referencing new table as new_rows
  for each statement execute function note_new_explorations();

create function note_changed_explorations () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, exploration_id)
  select distinct w.workspace_id, n.id from new_rows n join old_rows o using (id) cross join lateral (values (n.workspace_id), (o.workspace_id)) w (workspace_id)
  where (n.workspace_id, n.title, n.status, n.tags, n.url, n.summaries, n.questions, n.updated_at)
    is distinct from (o.workspace_id, o.title, o.status, o.tags, o.url, o.summaries, o.questions, o.updated_at);
  return null;
end $$;
create trigger note_update after update on explorations referencing new table as new_rows old table as old_rows
  for each statement execute function note_changed_explorations();

create function note_gone_explorations () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, exploration_id) select workspace_id, id from old_rows;
  return null;
end $$;
create trigger note_delete after delete on explorations referencing old table as old_rows
  for each statement execute function note_gone_explorations();

create function note_new_packages () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, exploration_id, artifact_type)
  select e.workspace_id, e.id, n.artifact_type from new_rows n join explorations e on e.id = n.exploration_id;
  return null;
end $$;
create trigger note_insert after insert on requirement_packages referencing new table as new_rows
  for each statement execute function note_new_packages();

create function note_changed_packages () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, exploration_id, artifact_type)
  select e.workspace_id, e.id, n.artifact_type
  from new_rows n join old_rows o using (exploration_id, artifact_type) join explorations e on e.id = n.exploration_id
  where (n.title, n.markdown, n.version, n.updated_at) is distinct from (o.title, o.markdown, o.version, o.updated_at);
  return null;
end $$;
create trigger note_update after update on requirement_packages referencing new table as new_rows old table as old_rows
  for each statement execute function note_changed_packages();

create function note_new_parts () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, exploration_id)
  select distinct e.workspace_id, e.id from new_rows n join explorations e on e.id = n.exploration_id;
  return null;
end $$;
create trigger note_insert after insert on execution_plans referencing new table as new_rows
  for each statement execute function note_new_parts();
create trigger note_insert after insert on recommendations referencing new table as new_rows
  for each statement execute function note_new_parts();

create function note_changed_plans () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, exploration_id)
  select e.workspace_id, e.id from new_rows n join old_rows o using (exploration_id) join explorations e on e.id = n.exploration_id
  where (n.version, n.compilation_state, n.updated_at) is distinct from (o.version, o.compilation_state, o.updated_at);
  return null;
end $$;
create trigger note_update after update on execution_plans referencing new table as new_rows old table as old_rows
  for each statement execute function note_changed_plans();

create function note_changed_recommendations () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, exploration_id)
  select distinct e.workspace_id, e.id from new_rows n join old_rows o using (id) join explorations e on e.id in (n.exploration_id, o.exploration_id)
  where n is distinct from o;
  return null;
end $$;
create trigger note_update after update on recommendations referencing new table as new_rows old table as old_rows
  for each statement execute function note_changed_recommendations();

create function note_workspace () returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' or new is distinct from old then
    insert into changes (workspace_id) values (coalesce(new.id, old.id));
  end if;
  return null;
end $$;
create trigger note_change after insert or update or delete on workspaces for each row execute function note_workspace();

create function note_membership () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, user_id) values (coalesce(new.workspace_id, old.workspace_id), coalesce(new.user_id, old.user_id));
  return null;
end $$;
create trigger note_change after insert or delete on memberships for each row execute function note_membership();

-- Streams of a credential that has expired are told of it by the database's clock, whatever that of their server says.
create function note_credential () returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (old.revoked_at is null and new.revoked_at is not null) or (old.expiry_noted_at is null and new.expiry_noted_at is not null) then
    insert into changes (credential_id) values (old.id);
  end if;
  return null;
end $$;
create trigger note_change after update of revoked_at, expiry_noted_at or delete on credentials for each row execute function note_credential();

-- The streams of somebody who was deactivated end as if each of their credentials was revoked.
create function note_deactivation () returns trigger language plpgsql as $$
begin
  insert into changes (credential_id) select id from credentials where user_id = new.id and revoked_at is null;
  return null;
end $$;
create trigger note_deactivation after update of deactivated_at on users for each row
  when (old.deactivated_at is null and new.deactivated_at is not null) execute function note_deactivation();

-- Streams of the members of an archived workspace end, and their lists change, as if the membership was.
create function note_archived_workspace () returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, user_id) select new.id, user_id from memberships where workspace_id = new.id;
  return null;
end $$;
create trigger note_archived after update of archived_at on workspaces for each row
  when ((old.archived_at is null) <> (new.archived_at is null)) execute function note_archived_workspace();

-- Writers of tags take turns: counts of the same tags, changed in another order, would be a deadlock. In a workspace that is
-- being deleted there is nothing to count.
create function change_tag_counts (workspaces_of uuid[], tags_of text[], deltas bigint[]) returns void language plpgsql as $$
begin
  if workspaces_of is null then return; end if;
  lock table workspace_tags in share row exclusive mode;
  insert into workspace_tags (workspace_id, tag, explorations)
  select c.workspace_id, c.tag, c.delta from unnest(workspaces_of, tags_of, deltas) c (workspace_id, tag, delta)
  where exists (select from workspaces w where w.id = c.workspace_id)
  on conflict (workspace_id, tag) do update set explorations = workspace_tags.explorations + excluded.explorations;
  if exists (select from unnest(deltas) delta where delta < 0) then
    delete from workspace_tags where workspace_id = any(array(select distinct unnest(workspaces_of))) and explorations <= 0;
  end if;
end $$;

create function count_new_tags () returns trigger language plpgsql as $$
begin
  perform change_tag_counts(array_agg(workspace_id), array_agg(tag), array_agg(delta)) from (
    select workspace_id, tag, sum(delta)::bigint as delta from (
    select new_rows.workspace_id, t.tag, 1 as delta from new_rows cross join lateral (select distinct tag from jsonb_array_elements_text(new_rows.tags) tag) t
    ) changed group by workspace_id, tag having sum(delta) <> 0
  ) changes;
  return null;
end $$;
create trigger count_tags_insert after insert on explorations referencing new table as new_rows
  for each statement execute function count_new_tags();

create function count_changed_tags () returns trigger language plpgsql as $$
begin
  perform change_tag_counts(array_agg(workspace_id), array_agg(tag), array_agg(delta)) from (
    select workspace_id, tag, sum(delta)::bigint as delta from (
    select new_rows.workspace_id, t.tag, 1 as delta from new_rows cross join lateral (select distinct tag from jsonb_array_elements_text(new_rows.tags) tag) t
    union all
    select old_rows.workspace_id, t.tag, -1 as delta from old_rows cross join lateral (select distinct tag from jsonb_array_elements_text(old_rows.tags) tag) t
    ) changed group by workspace_id, tag having sum(delta) <> 0
  ) changes;
  return null;
end $$;
create trigger count_tags_update after update on explorations referencing new table as new_rows old table as old_rows
  for each statement execute function count_changed_tags();

create function count_deleted_tags () returns trigger language plpgsql as $$
begin
  perform change_tag_counts(array_agg(workspace_id), array_agg(tag), array_agg(delta)) from (
    select workspace_id, tag, sum(delta)::bigint as delta from (
    select old_rows.workspace_id, t.tag, -1 as delta from old_rows cross join lateral (select distinct tag from jsonb_array_elements_text(old_rows.tags) tag) t
    ) changed group by workspace_id, tag having sum(delta) <> 0
  ) changes;
  return null;
end $$;
create trigger count_tags_delete after delete on explorations referencing old table as old_rows
  for each statement execute function count_deleted_tags();

-- What search reads of an exploration, apart from what people read: the words of all its texts, and their meaning as vectors.
create table search_documents (
  exploration_id uuid primary key references explorations on delete cascade,
  workspace_id uuid not null,
  -- title A, summaries and tags B, questions C, packages D
  document tsvector storage external not null
);
create index search_documents_words on search_documents using gin (workspace_id, document);

-- A tsvector has a size that no text stays below for certain (1 MiB of different words), so a text that is too rich is indexed by its beginning.
create function search_document (title text, about text, questions text, packages text) returns tsvector language plpgsql as $$
declare
  most integer;
begin
  foreach most in array array[200000, 20000] loop
    begin
      return setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', left(about, most)), 'B') ||
        setweight(to_tsvector('english', left(questions, most)), 'C') || setweight(to_tsvector('english', left(packages, most)), 'D');
    exception when program_limit_exceeded then null;
    end;
  end loop;
  return setweight(to_tsvector('english', title), 'A');
end $$;

create table embedders (
  id smallint generated always as identity primary key,
  name text not null,
  version text not null,
  dimensions integer not null check (dimensions between 1 and 16000),
  -- How to open it again; no secrets.
  settings jsonb not null,
  adopted_at timestamptz not null,
  -- Null while it has not yet embedded what was there when it was adopted.
  completed_at timestamptz,
  -- Cosines of a question and what has nothing to do with it, of a question and what it asks for.
  unrelated real,
  related real,
  unique (name, version)
);

create table exploration_vectors (
  embedder smallint not null references embedders on delete cascade,
  exploration_id uuid not null references explorations on delete cascade,
  -- 0 is the whole text, or its beginning where the embedder reads no more at a time; then its parts.
  chunk smallint not null,
  workspace_id uuid not null,
  -- Null where the embedder knows nothing of the text.
  embedding vector,
  primary key (embedder, exploration_id, chunk)
);
create index exploration_vectors_workspace on exploration_vectors (embedder, workspace_id);

-- Explorations whose words or vectors are behind their texts. A change takes a new number, so that who read an older text does not
-- take his work for done.
create sequence search_changes;
create table search_queue (
  exploration_id uuid primary key references explorations on delete cascade,
  change bigint not null default nextval('search_changes'),
  words boolean not null default true,
  meaning boolean not null default true,
  -- Until then somebody is at work on its meaning.
  claimed_until timestamptz not null default '-infinity'
);
create index search_queue_words on search_queue (exploration_id) where words;
create index search_queue_meaning on search_queue (claimed_until) where meaning;

create function queue_for_search (explorations uuid[]) returns void language sql as $$
  insert into search_queue (exploration_id) select distinct unnest(explorations)
  on conflict (exploration_id) do update set change = excluded.change, words = true, meaning = true, claimed_until = '-infinity'
$$;

create function queue_new_explorations () returns trigger language plpgsql as $$
begin
  perform queue_for_search(array(select id from new_rows));
  return null;
end $$;
create trigger queue_insert after insert on explorations referencing new table as new_rows
  for each statement execute function queue_new_explorations();

create function queue_changed_explorations () returns trigger language plpgsql as $$
begin
  perform queue_for_search(array(
    select n.id from new_rows n join old_rows o using (id)
    where (n.workspace_id, n.title, n.tags, n.summaries, n.questions) is distinct from (o.workspace_id, o.title, o.tags, o.summaries, o.questions)));
  return null;
end $$;
create trigger queue_update after update on explorations referencing new table as new_rows old table as old_rows
  for each statement execute function queue_changed_explorations();

create function queue_new_packages () returns trigger language plpgsql as $$
begin
  perform queue_for_search(array(select exploration_id from new_rows));
  return null;
end $$;
create trigger queue_insert after insert on requirement_packages referencing new table as new_rows
  for each statement execute function queue_new_packages();

create function queue_changed_packages () returns trigger language plpgsql as $$
begin
  perform queue_for_search(array(
    select n.exploration_id from new_rows n join old_rows o using (exploration_id, artifact_type)
    where (n.title, n.markdown) is distinct from (o.title, o.markdown)));
  return null;
end $$;
create trigger queue_update after update on requirement_packages referencing new table as new_rows old table as old_rows
  for each statement execute function queue_changed_packages();

create function queue_gone_packages () returns trigger language plpgsql as $$
begin
  perform queue_for_search(array(select o.exploration_id from old_rows o join explorations e on e.id = o.exploration_id));
  return null;
end $$;
create trigger queue_delete after delete on requirement_packages referencing old table as old_rows
  for each statement execute function queue_gone_packages();

-- Words and meaning are written side by side: whoever is through last settles an exploration, which neither can know beforehand.
create function settle_search () returns trigger language plpgsql as $$
begin
  delete from search_queue where exploration_id = new.exploration_id and not words and not meaning;
  return null;
end $$;
create trigger settle after update on search_queue for each row when (not new.words and not new.meaning) execute function settle_search();

-- Words that more than one of a hundred explorations holds, with the share that does: finding weighs them without asking who holds them.
create table commonplace_words (lexeme text primary key, share real not null);

-- How many explorations there were when the words were counted.
create table search_census (
  single boolean primary key default true check (single),
  explorations integer not null
);
insert into search_census (explorations) values (0);

-- Counts again, over some two thousand of them, once their number has changed by a fifth; fewer than a thousand need no counting.
create function take_search_census () returns void language plpgsql as $$
declare
  before integer;
  present integer;
  sample text;
  counted integer;
begin
  select explorations into before from search_census for update skip locked;
  if not found then return; end if;
  select count(*) into present from search_documents;
  if greatest(before, present) < 1000 or present between before * 0.8 and before * 1.2 then return; end if;
  update search_census set explorations = present;
  delete from commonplace_words;
  if present < 1000 then return; end if;
  sample := format('select document from search_documents tablesample bernoulli (%s) repeatable (1)',
    least(100, 200000.0 / present));
  execute format('select count(*) from (%s) sampled', sample) into counted;
  insert into commonplace_words
  select word, ndoc::real / counted from ts_stat(sample) where ndoc > counted / 100.0;
end $$;

-- Which explorations changed, for the memory of search that an embedded server of that build has: only its connection sets this setting.
create sequence search_revision;
create table search_revisions (
  -- No foreign key: what was deleted has to be seen too.
  exploration_id uuid primary key,
  revision bigint not null
);
create index search_revisions_revision on search_revisions (revision);

create function note_search_revision () returns trigger language plpgsql as $$
declare
  its_id uuid;
begin
  if tg_table_name = 'explorations' then its_id := coalesce(new.id, old.id);
  else its_id := coalesce(new.exploration_id, old.exploration_id);
  end if;
  insert into search_revisions (exploration_id, revision) values (its_id, nextval('search_revision'))
  on conflict (exploration_id) do update set revision = excluded.revision;
  return null;
end $$;

create function notify_search_change () returns trigger language plpgsql as $$
begin
  perform pg_notify('search_changes', '');
  return null;
end $$;
create trigger notify_search_change after insert or update on search_revisions for each statement execute function notify_search_change();
create trigger notify_search_change after insert or update or delete or truncate on workspaces for each statement
  when (current_setting('exploration_mcp.search_revisions', true) = 'on') execute function notify_search_change();

-- Each workspace has a revision: another one with each committed change of what answers about its explorations are made of, whoever made it. The
-- statement that verifies a credential reads the revisions of the workspaces that it can see, so that a server knows which records are as it read them.
-- Revisions are compared for equality only. A number drawn from a sequence would not do: the transaction with the lower one may commit last. Here a
-- transaction writes the row of the workspace and keeps its lock until it has committed, so each one finds what the one before wrote.
create table workspace_revisions (
  -- No foreign key: a commit would wait for whoever deletes the workspace, and that one for what the transaction has changed.
  workspace_id uuid primary key,
  revision uuid not null
) with (fillfactor = 10);

-- The workspaces whose records an open transaction has changed. Nobody but this transaction ever sees its rows.
create unlogged table uncommitted_workspace_changes (
  xact xid8 not null default pg_current_xact_id(),
  workspace_id uuid not null,
  primary key (xact, workspace_id)
);

-- Right before the commit: the locks are held for a moment only, and taken in one order, so that no two transactions wait for each other.
create function renew_workspace_revisions () returns trigger language plpgsql as $$
declare
  changed uuid[];
begin
  with mine as (delete from uncommitted_workspace_changes where xact = pg_current_xact_id() returning workspace_id)
  select array_agg(workspace_id order by workspace_id) into changed from mine;
  if changed is null then
    return null;
  end if;
  insert into workspace_revisions (workspace_id, revision)
  select id, gen_random_uuid() from unnest(changed) with ordinality as c (id, place) order by place
  on conflict (workspace_id) do update set revision = excluded.revision;
  delete from workspace_revisions r where r.workspace_id = any(changed)
    and not exists (select from workspaces w where w.id = r.workspace_id);
  return null;
end $$;
create constraint trigger renew_workspace_revisions after insert on uncommitted_workspace_changes
  deferrable initially deferred for each row execute function renew_workspace_revisions();
-- Also in sessions that switch triggers off by session_replication_role, as restores do; and so the others.
alter table uncommitted_workspace_changes enable always trigger renew_workspace_revisions;

create function note_workspace_change_of_workspaces () returns trigger language plpgsql as $$
begin
  if tg_op in ('UPDATE', 'DELETE') then
    insert into uncommitted_workspace_changes (workspace_id) select id from old_rows on conflict do nothing;
  end if;
  if tg_op in ('UPDATE', 'INSERT') then
    insert into uncommitted_workspace_changes (workspace_id) select id from new_rows on conflict do nothing;
  end if;
  return null;
end $$;

create function note_workspace_change_of_explorations () returns trigger language plpgsql as $$
begin
  if tg_op in ('UPDATE', 'DELETE') then
    insert into uncommitted_workspace_changes (workspace_id) select distinct workspace_id from old_rows on conflict do nothing;
  end if;
  if tg_op in ('UPDATE', 'INSERT') then
    insert into uncommitted_workspace_changes (workspace_id) select distinct workspace_id from new_rows on conflict do nothing;
  end if;
  return null;
end $$;

-- Of rows that belong to an exploration. Those that go with their exploration find none: the change of explorations tells of its workspace.
create function note_workspace_change_of_parts () returns trigger language plpgsql as $$
begin
  if tg_op in ('UPDATE', 'DELETE') then
    insert into uncommitted_workspace_changes (workspace_id)
    select workspace_id from (
      select (select e.workspace_id from explorations e where e.id = part.exploration_id) as workspace_id
      from (select distinct exploration_id from old_rows) part
    ) place where workspace_id is not null on conflict do nothing;
  end if;
  if tg_op in ('UPDATE', 'INSERT') then
    insert into uncommitted_workspace_changes (workspace_id)
    select workspace_id from (
      select (select e.workspace_id from explorations e where e.id = part.exploration_id) as workspace_id
      from (select distinct exploration_id from new_rows) part
    ) place where workspace_id is not null on conflict do nothing;
  end if;
  return null;
end $$;

create function note_workspace_change_of_all () returns trigger language plpgsql as $$
begin
  insert into uncommitted_workspace_changes (workspace_id) select workspace_id from workspace_revisions on conflict do nothing;
  return null;
end $$;

-- The embedded server hears of each commit that changed what decides about access: what the statement that verifies a credential has read is then no
-- longer remembered. Its connection, the only one that sets `exploration_mcp.access_changes`, listens itself: the notification arrives with the answer
-- to the commit. Equal notifications of one transaction are one.
create function notify_access_change () returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changes', '');
  return null;
end $$;

-- Functions with the rights of the owner, and what makes a table, name the schema of whatever they use. {vector} is that of the extension.
do $migration$
declare
  definition text;
begin
  foreach definition in array array[
    $sql$
    create function {schema}.create_audit_partition (starts_at timestamptz, ends_at timestamptz) returns void language plpgsql
    set timezone = 'UTC' as $$
    declare
      its_name text := 'audit_events_' || to_char(starts_at, 'YYYY_MM');
      grantee text;
    begin
      execute format('create table {schema}.%I partition of {schema}.audit_events for values from (%L) to (%s)',
        its_name, starts_at, case when ends_at = 'infinity' then 'maxvalue' else quote_literal(ends_at) end);
      execute format('create unique index %I on {schema}.%I (event_id) where event_id is not null', its_name || '_event', its_name);
      execute format('create trigger audit_events_append_only before update or delete or truncate on {schema}.%I
        for each statement execute function {schema}.refuse_change()', its_name);
      -- Default privileges may have granted something.
      for grantee in
        select distinct case a.grantee when 0 then 'public' else a.grantee::regrole::text end from pg_class c cross join aclexplode(c.relacl) a
        where c.oid = format('{schema}.%I', its_name)::regclass and a.grantee <> c.relowner
      loop
        execute format('revoke all on {schema}.%I from %s', its_name, grantee);
      end loop;
    end $$
    $sql$,
    -- Makes partitions until those of this month and the next are closed at their ends. Waits for no reader: writers would wait behind it.
    $sql$
    create function {schema}.create_audit_partitions () returns integer language plpgsql security definer
    set timezone = 'UTC' set lock_timeout = '200ms' as $$
    declare
      its_name text;
      its_start timestamptz;
      its_last timestamptz;
      its_end timestamptz;
      locked boolean := false;
      made integer := 0;
    begin
      loop
        select name, starts_at into its_name, its_start from {schema}.audit_partitions where ends_at = 'infinity';
        exit when not found or its_start >= date_trunc('month', now()) + interval '2 months';
        if not locked then
          lock table {schema}.audit_events in access exclusive mode;
          locked := true;
          continue;
        end if;
        -- Usually empty. Otherwise nobody has made partitions for long, and all that it has stays in one.
        execute format('select max(at) from {schema}.%I', its_name) into its_last;
        its_end := greatest(its_start + interval '1 month', date_trunc('month', now()), date_trunc('month', its_last) + interval '1 month');
        execute format('alter table {schema}.audit_events detach partition {schema}.%I', its_name);
        execute format('alter table {schema}.audit_events attach partition {schema}.%I for values from (%L) to (%L)', its_name, its_start, its_end);
        perform {schema}.create_audit_partition(its_end, 'infinity');
        made := made + 1;
      end loop;
      return made;
    exception when lock_not_available then
      return 0;
    end $$
    $sql$,
    -- Drops what is old as a whole, and deletes at most so many rows beside. From 90 days on only whole months are old: deleting all rows one by one
    -- would cost as much as writing them. A month that somebody reads is left to the next time.
    $sql$
    create function {schema}.purge_audit_events (days integer, most integer) returns integer language plpgsql security definer
    set timezone = 'UTC' set lock_timeout = '200ms' as $$
    declare
      least_days integer := 1;
      its_cutoff timestamptz;
      its_name text;
      its_first timestamptz;
      its_last timestamptz;
      its_rows bigint;
      gone bigint := 0;
    begin
      -- The owner of the schema may do without the retention that it sets for others.
      if not pg_has_role(session_user, current_user, 'member') then
        select min_days into least_days from {schema}.audit_retention;
        if least_days is null then
          raise exception 'the owner of the schema keeps the audit log for ever'
            using hint = 'Run "exploration-mcp migrate --server-role ROLE" as the owner with AUDIT_RETENTION_DAYS.';
        end if;
      end if;
      if days is null or days < least_days then
        raise exception 'the audit log keeps at least % day(s)', least_days
          using hint = 'Run "exploration-mcp migrate --server-role ROLE" as the owner with AUDIT_RETENTION_DAYS to keep less.';
      end if;
      its_cutoff := now() - make_interval(days => days);
      if days >= 90 then its_cutoff := date_trunc('month', its_cutoff); end if;

      foreach its_name in array array(select name from {schema}.audit_partitions where ends_at <= its_cutoff order by ends_at) loop
        begin
          -- Counted before the lock that the drop takes. Of 4 GB and more the statistics have to do: a count could take longer than a statement may.
          if pg_relation_size(format('{schema}.%I', its_name)::regclass) < 4294967296 then
            execute format('select count(*) from {schema}.%I', its_name) into its_rows;
          else
            its_rows := (select greatest(c.reltuples, 0) from pg_catalog.pg_class c where c.oid = format('{schema}.%I', its_name)::regclass);
          end if;
          execute format('drop table {schema}.%I', its_name);
          gone := gone + its_rows;
        exception when lock_not_available or undefined_table then
          null;
        end;
      end loop;

      select min(at), max(at) into its_first, its_last
      from (select at from {schema}.audit_events where at < its_cutoff order by at limit greatest(most, 1)) oldest;
      if found and its_first is not null then
        perform set_config('audit.purging', 'on', true);
        delete from {schema}.audit_events where at >= its_first and at <= its_last;
        get diagnostics its_rows = row_count;
        perform set_config('audit.purging', '', true);
        gone := gone + its_rows;
      end if;

      if gone > 0 then
        insert into {schema}.audit_events (action, outcome, duration_ms, request_id, remote_address, actor, count)
        values ('audit/purged older than ' || days || ' days', 'ok', 0, '-', '-', 'database role ' || session_user, gone);
      end if;
      return gone;
    end $$
    $sql$,
    -- So that the server's own role can change the embedder.
    $sql$
    create function {schema}.adopt_embedder (its_name text, its_version text, its_dimensions integer, its_settings jsonb) returns smallint
    language plpgsql security definer as $$
    declare
      its_id smallint;
      newest smallint;
    begin
      lock table {schema}.embedders in share row exclusive mode;
      select id into newest from {schema}.embedders order by adopted_at desc, id desc limit 1;
      select id into its_id from {schema}.embedders where name = its_name and version = its_version;
      if its_id is not null and its_id = newest then return its_id; end if;
      if its_id is null then
        insert into {schema}.embedders (name, version, dimensions, settings, adopted_at)
        values (its_name, its_version, its_dimensions, its_settings, pg_catalog.clock_timestamp())
        returning id into its_id;
      else
        update {schema}.embedders set adopted_at = pg_catalog.clock_timestamp(), settings = its_settings where id = its_id;
      end if;
      insert into {schema}.search_queue (exploration_id, words) select id, false from {schema}.explorations
      on conflict (exploration_id) do update set change = excluded.change, meaning = true, claimed_until = '-infinity';
      return its_id;
    end $$
    $sql$,
    -- The newest embedder is through: what those before it left goes.
    $sql$
    create function {schema}.complete_embedder (its_id smallint) returns void language plpgsql security definer as $$
    declare
      old smallint;
    begin
      update {schema}.embedders set completed_at = pg_catalog.clock_timestamp() where id = its_id;
      for old in select id from {schema}.embedders where id <> its_id loop
        execute pg_catalog.format('drop index if exists {schema}.%I', 'exploration_vectors_' || old);
        delete from {schema}.embedders where id = old;
      end loop;
    end $$
    $sql$,
    -- A thousand vectors are compared one by one as quickly as an index finds the nearest of them, and keeping the index takes longer than all else
    -- of writing a vector: an embedder's vectors get an index of their own, as each has its own number of dimensions, when there are so many.
    $sql$
    create function {schema}.index_vectors (its_id smallint) returns void language plpgsql security definer as $$
    declare
      its_index text := 'exploration_vectors_' || its_id;
      its_dimensions integer;
    begin
      if pg_catalog.to_regclass('{schema}.' || its_index) is not null or
        (select count(*) from (select from {schema}.exploration_vectors where embedder = its_id limit 1000) counted) < 1000 then
        return;
      end if;
      lock table {schema}.embedders in share row exclusive mode;
      select dimensions into its_dimensions from {schema}.embedders where id = its_id;
      -- Vectors of more than 2,000 dimensions can be indexed in half precision, of more than 4,000 not at all.
      if its_dimensions <= 4000 and pg_catalog.to_regclass('{schema}.' || its_index) is null then
        execute pg_catalog.format('create index %1$I on {schema}.exploration_vectors using hnsw ((embedding::{vector}.%2$s(%3$s)) ' ||
          '{vector}.%2$s_cosine_ops) with (m = 12, ef_construction = 40) where embedder = %4$s',
          its_index, case when its_dimensions <= 2000 then 'vector' else 'halfvec' end, its_dimensions, its_id);
      end if;
    end $$
    $sql$,
    -- What an index of words puts aside while much is written is read whole by each question, until it is put in its place; a database
    -- without a vacuum of its own never does that.
    $sql$
    create function {schema}.tidy_search_words () returns void language plpgsql security definer as $$
    begin
      perform {schema}.take_search_census();
      perform pg_catalog.gin_clean_pending_list('{schema}.search_documents_words');
      perform pg_catalog.gin_clean_pending_list('{schema}.explorations_workspace_title');
    end $$
    $sql$
  ] loop
    execute replace(replace(definition, '{schema}', quote_ident(current_schema())), '{vector}', quote_ident((
      select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector')));
  end loop;
end $migration$;

do $migration$
declare
  watched text;
  noted text;
  columns text;
begin
  foreach watched in array array['workspaces', 'explorations', 'requirement_packages', 'execution_plans', 'plan_groups', 'plan_items',
    'plan_dependencies', 'plan_gates', 'plan_conflicts', 'recommendations']
  loop
    noted := 'note_workspace_change_of_' || case when watched in ('workspaces', 'explorations') then watched else 'parts' end;
    execute format('create trigger note_workspace_change_insert after insert on %I referencing new table as new_rows
      for each statement execute function %I()', watched, noted);
    execute format('create trigger note_workspace_change_update after update on %I referencing old table as old_rows new table as new_rows
      for each statement execute function %I()', watched, noted);
    execute format('create trigger note_workspace_change_delete after delete on %I referencing old table as old_rows
      for each statement execute function %I()', watched, noted);
    execute format('create trigger note_workspace_change_truncate after truncate on %I
      for each statement execute function note_workspace_change_of_all()', watched);
    execute format('alter table %1$I enable always trigger note_workspace_change_insert, enable always trigger note_workspace_change_update,
      enable always trigger note_workspace_change_delete, enable always trigger note_workspace_change_truncate', watched);
  end loop;
  foreach watched in array array['explorations', 'requirement_packages', 'execution_plans', 'search_documents', 'exploration_vectors'] loop
    execute format('create trigger note_search_revision after insert or update or delete on %I for each row
      when (current_setting(''exploration_mcp.search_revisions'', true) = ''on'') execute function note_search_revision()', watched);
  end loop;
  -- Of credentials, not the time of their last use, which calls write.
  for watched, columns in values
    ('users', ''), ('workspaces', ''), ('memberships', ''), ('workspace_revisions', ''), ('connection_tokens', ''),
    ('credentials', ' of id, kind, name, user_id, scope, workspace_ids, hash, resource, expires_at, revoked_at')
  loop
    execute format('create trigger notify_access_change after insert or update%2$s or delete or truncate on %1$I for each statement
      when (current_setting(''exploration_mcp.access_changes'', true) = ''on'') execute function notify_access_change()', watched, columns);
    -- Also in sessions that switch triggers off by session_replication_role, as restores do.
    execute format('alter table %I enable always trigger notify_access_change', watched);
  end loop;
end $migration$;

-- Triggers run with the rights of whoever writes, other functions with those of the owner: with a path of their own none is led to a table of pg_temp.
do $migration$
declare
  found regprocedure;
begin
  for found in
    select p.oid::regprocedure from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and p.proname not in ('rfc3339', 'search_document')
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', found, current_schema());
  end loop;
end $migration$;
revoke all on function adopt_embedder, complete_embedder, index_vectors, tidy_search_words, purge_audit_events, create_audit_partitions,
  create_audit_partition from public;

select create_audit_partition(ends_at, 'infinity') from audit_partitions;
select create_audit_partitions();

-- Of what was done, by its number and the checksum of its file: that build compares them with its own, and later ones with these.
create table schema_migrations (
  version bigint primary key,
  name text,
  md5 text,
  run_at timestamptz
);
insert into schema_migrations (run_at, version, name, md5)
select now(), * from (values
  (1, 'records', '25ad8d96d1d88bf3477d2f9ee3b4cf87'),
  (2, 'credentials', '54ca4963e8ca88a8c1378f86e3f66066'),
  (3, 'package-length', '0c334b5651d106383589e9ffec2a1cd5'),
  (4, 'limits', '37b9e56e66b5108bc7d7dcf3cf35c952'),
  (5, 'changes', '2ae42c39e6be3df02a348d4cc5b93ebf'),
  (6, 'tasks', '57aa7c4384d3a4726fd0ddf12e6d8ad6'),
  (7, 'device-grants', '0326a4e1fad87557edfc6ae6fb443598'),
  (8, 'deployment', 'e366dd35c7fbc24915d80aaca69c757f'),
  (9, 'audit', 'cd2662ed79255cc0d929e80aee2eb0e3'),
  (10, 'references', '4a8f3c765998b6ffa73d1c7fc4ce27d2'),
  (11, 'search-index', '0af4a70b591d63ca3c36553aa9718b72'),
  (12, 'service-accounts', '5205fab1600928c61e75b5339f93d5fc'),
  (13, 'expiry-told', '51c8323ac8c99e7c5b2a75389e0b4af6'),
  (14, 'audit-once', 'a1e2136aa67ac227e035630dc8268d2e'),
  (15, 'lists', 'b30d5ee513347a9291d37c891e64702f'),
  (16, 'commonplace-words', 'a8b9bee52a5a185d614c3ec38d298de1'),
  (17, 'search-side-by-side', '3b5106d5678baffebda7656b98895601'),
  (18, 'texts-as-they-are', '96a1b2cecf9ffacdd5f90310831b0fc6'),
  (19, 'tidy-search-words', 'd1d12bbb255be71bfa2e7ccf20048747'),
  (20, 'append-only-audit', '3899c2939414976837a07b0af49b7a61'),
  (21, 'device-grant-limits', 'ada195a52df93c25bec2e36749523014'),
  (22, 'import-origins', '89ef4d128a0ca33ef3f04bf5094efc09'),
  (23, 'web-sign-in', 'eb0e83ac06a5799a0fdc23827eb6a37c'),
  (24, 'web-application', '4cda655abf92eab6cbb1f56795ee3052'),
  (25, 'web-lists', '76f1f60791a0128cb397447181f4aaf7'),
  (26, 'usage-sums', '08b6a239599e23292b21f1af8c316a1b'),
  (27, 'tags-and-sign-in-upkeep', 'ab8be40fa57d1d12f928e9cfdd9e09f4'),
  (28, 'oauth', '8a0b09c6ac82f4a7809e3f33b051c0f7'),
  (30, 'search-revisions', 'b96483dc7fb4947e26d1d17f8cbc493c'),
  (31, 'audit-months', 'bd0a4776d9a7039bdeb8da2941455cbc'),
  (32, 'plan-references', '7bcacf23a1d6213dcd4e846057e88f94'),
  (33, 'cost-of-a-call', '8d2c3628ea12e1904c5f79870ed72807'),
  (34, 'search-changes', '23ed6aec31c958c73544d75105032cab'),
  (35, 'timestamp-text', '54350aac1d25b02508c4a4ac153f0d05'),
  (36, 'access-changes', 'fc83a9e44fc31520d3451464d8349459')
) done;
