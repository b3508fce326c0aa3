create extension if not exists vector;
create extension if not exists pg_trgm;

create function rfc3339 (at timestamptz) returns text language sql immutable parallel safe
return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

create table workspaces (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  description text,
  created_at timestamptz not null
);

create table users (
  id uuid primary key,
  email text not null,
  name text not null,
  kind text not null check (kind in ('person', 'service_account'))
);
create unique index users_email on users (lower(email));

create table memberships (
  user_id uuid not null references users on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  role text not null check (role in ('viewer', 'editor', 'admin')),
  primary key (user_id, workspace_id)
);
create index memberships_workspace on memberships (workspace_id);

create table explorations (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  title text not null,
  status text not null check (status in ('draft', 'exploring', 'ready', 'delivered', 'archived')),
  tags jsonb not null,
  url text,
  summaries jsonb not null,
  questions jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- what full text search reads: title A, summaries and tags B, questions C, packages D
  document tsvector not null default ''
);
create index explorations_workspace on explorations (workspace_id, updated_at desc, id);
create index explorations_document on explorations using gin (document);
create index explorations_title_prefix on explorations (lower(title) text_pattern_ops);
create index explorations_title_trigrams on explorations using gin (title gin_trgm_ops);

create table requirement_packages (
  exploration_id uuid not null references explorations on delete cascade,
  artifact_type text not null,
  title text,
  markdown text not null,
  version integer not null,
  updated_at timestamptz not null,
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
