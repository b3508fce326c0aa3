-- Work that goes on after its request was answered. What is asked and what was answered lie here, so that any replica can serve both.
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
