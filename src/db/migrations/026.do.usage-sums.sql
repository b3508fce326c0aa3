-- Sums of usage_hours for everybody (subject_id is null), each workspace and each user, by hour and by whole day in UTC: a
-- question about a month reads these instead of every row. `kind` says what `key` is: 'all' (''), 'credential' (its id),
-- 'tool', 'client', or 'refusal' (its reason). See src/db/usage-counting.ts.
set local statement_timeout = 0;
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

insert into usage_sums (span, start, subject_id, kind, key, calls, errors, refused, latencies)
select 'hour', hour, coalesce(workspace_id, user_id), kind, key,
  coalesce(sum(calls) filter (where not refused), 0),
  coalesce(sum(calls) filter (where not refused and outcome <> 'ok'), 0),
  coalesce(sum(calls) filter (where refused), 0),
  array[sum(latencies[1]), sum(latencies[2]), sum(latencies[3]), sum(latencies[4]), sum(latencies[5]), sum(latencies[6]),
    sum(latencies[7]), sum(latencies[8]), sum(latencies[9]), sum(latencies[10]), sum(latencies[11]), sum(latencies[12]),
    sum(latencies[13]), sum(latencies[14]), sum(latencies[15]), sum(latencies[16]), sum(latencies[17]), sum(latencies[18]),
    sum(latencies[19]), sum(latencies[20]), sum(latencies[21]), sum(latencies[22]), sum(latencies[23]), sum(latencies[24]),
    sum(latencies[25]), sum(latencies[26]), sum(latencies[27]), sum(latencies[28])]::integer[]
from (
  select h.*, action like 'refused%' or outcome in ('unauthorized', 'forbidden', 'rate_limited', 'foreign_origin',
    'too_many_streams', 'too_many_tasks', 'unavailable') as refused
  from usage_hours h
) counted cross join lateral (
  values ('all', ''), ('credential', coalesce(credential_id::text, '')),
    ('tool', case when action like 'tools/call %' then substr(action, 12) else action end), ('client', client)
  union all
  select 'refusal', trim(outcome || ' ' || case when action like 'refused %' then substr(action, 9) else '' end)
  where refused
) kinds (kind, key)
group by grouping sets ((hour, kind, key), (hour, workspace_id, kind, key), (hour, user_id, kind, key))
having (grouping(workspace_id) = 1 or workspace_id is not null) and (grouping(user_id) = 1 or user_id is not null);

insert into usage_sums (span, start, subject_id, kind, key, calls, errors, refused, latencies)
select 'day', date_trunc('day', start, 'UTC') as day, subject_id, kind, key, sum(calls), sum(errors), sum(refused),
  array[sum(latencies[1]), sum(latencies[2]), sum(latencies[3]), sum(latencies[4]), sum(latencies[5]), sum(latencies[6]),
    sum(latencies[7]), sum(latencies[8]), sum(latencies[9]), sum(latencies[10]), sum(latencies[11]), sum(latencies[12]),
    sum(latencies[13]), sum(latencies[14]), sum(latencies[15]), sum(latencies[16]), sum(latencies[17]), sum(latencies[18]),
    sum(latencies[19]), sum(latencies[20]), sum(latencies[21]), sum(latencies[22]), sum(latencies[23]), sum(latencies[24]),
    sum(latencies[25]), sum(latencies[26]), sum(latencies[27]), sum(latencies[28])]::integer[]
from usage_sums
where start < (select date_trunc('day', counted_until, 'UTC') from usage_progress)
group by day, subject_id, kind, key;

create index usage_sums_key on usage_sums (subject_id, kind, span, key, start);
create index usage_sums_start on usage_sums (start);
