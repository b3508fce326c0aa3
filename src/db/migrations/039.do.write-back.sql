-- What agents and people write: items with a revision and evidence, questions as rows, notes, leases, proposals, and the history of all of it.
set local statement_timeout = 0;

-- `changed_here`: what was changed by other than an import since the last one. An import does not overwrite it.
alter table plan_items
  add column revision integer not null default 1,
  add column acceptance jsonb,
  add column evidence jsonb,
  add column repository text,
  add column source jsonb,
  -- {proposal_id, at}: an agent says that it is done, and a person has to decide.
  add column finished jsonb,
  -- The status that it gets back when the last question that blocks it is answered.
  add column status_before_question text,
  add column changed_here text[] not null default '{}';
alter table execution_plans add column changed_here boolean not null default false;
alter table requirement_packages add column changed_here boolean not null default false;

-- One row for each record that changed, by anyone. Nothing of it changes or goes, but with its exploration.
create table history (
  id bigint generated always as identity primary key,
  -- Readers that follow take only what lies before the oldest transaction that is open, as with `changes`.
  xact xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  exploration_id uuid not null references explorations on delete cascade,
  workspace_id uuid not null,
  user_id uuid,
  "user" text,
  credential_id uuid,
  credential text,
  client text,
  tool text,
  kind text not null check (kind in ('exploration', 'item', 'dependency', 'gate', 'conflict', 'question', 'note', 'package',
    'recommendation', 'proposal', 'lease', 'import')),
  target text not null,
  before jsonb,
  after jsonb,
  undoes bigint,
  -- What get_changes says of it: [{kind, item_id?, question_id?, proposal_id?, text?}].
  events jsonb not null default '[]'
);
create index history_exploration on history (exploration_id, id desc);
create index history_target on history (exploration_id, kind, target, id desc);
create index history_events on history (workspace_id, xact, id) where events <> '[]';
create index history_events_at on history (workspace_id, at) where events <> '[]';

create table leases (
  exploration_id uuid not null references explorations on delete cascade,
  item_id text not null,
  id uuid not null,
  credential_id uuid not null,
  credential text not null,
  user_id uuid not null,
  "user" text not null,
  since timestamptz not null,
  until timestamptz not null,
  -- Its end is in the history. The last holder may still report, until another one claims the item.
  lapsed boolean not null default false,
  primary key (exploration_id, item_id)
);
create index leases_credential on leases (credential_id);
create index leases_user on leases (user_id);
create index leases_until on leases (until) where not lapsed;

create table questions (
  exploration_id uuid not null references explorations on delete cascade,
  -- From 1,000,000 on for those that were asked here; below, the place in the record of the exploration.
  position integer not null,
  id text not null,
  section text,
  question text not null,
  answer text,
  status text not null check (status in ('open', 'answered')),
  item_id text,
  blocks_item boolean not null default false,
  asked_by jsonb,
  answered_by jsonb,
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  changed_here boolean not null default false,
  primary key (exploration_id, position)
);
create index questions_id on questions (exploration_id, id);

create table notes (
  exploration_id uuid not null references explorations on delete cascade,
  id uuid primary key,
  item_id text,
  text text not null,
  written_by jsonb not null,
  created_at timestamptz not null default now(),
  hidden boolean not null default false
);
create index notes_item on notes (exploration_id, item_id, created_at desc);

create table proposals (
  exploration_id uuid not null references explorations on delete cascade,
  id uuid primary key,
  state text not null check (state in ('open', 'accepted', 'dismissed', 'superseded')),
  changes jsonb not null,
  -- What the changes were made from: one value for each of them.
  base jsonb not null,
  rationale text,
  confidence text check (confidence in ('low', 'medium', 'high')),
  proposed_by jsonb not null,
  credential_id uuid,
  created_at timestamptz not null default now(),
  decided_by text,
  decided_at timestamptz,
  reason text
);
create index proposals_exploration on proposals (exploration_id, created_at desc, id desc);
create index proposals_open on proposals (exploration_id) where state = 'open';
create index proposals_state on proposals (state, created_at desc, id desc);
create index proposals_newest on proposals (created_at desc, id desc);
create index proposals_credential on proposals (credential_id) where state = 'open';

create table idempotency_keys (
  credential_id uuid not null,
  key text not null,
  digest text not null,
  answer json,
  at timestamptz not null default now(),
  primary key (credential_id, key)
);
create index idempotency_keys_at on idempotency_keys (at);

-- The versions that a package had before its present one.
create table package_versions (
  exploration_id uuid not null references explorations on delete cascade,
  artifact_type text not null,
  version integer not null,
  title text,
  markdown text not null,
  updated_at timestamptz not null,
  primary key (exploration_id, artifact_type, version)
);

do $migration$
declare
  definition text;
begin
  foreach definition in array array[
    $sql$
    create function {schema}.refuse_change_of_history () returns trigger language plpgsql set search_path = pg_catalog, {schema}, pg_temp as $$
    begin
      raise exception 'the history is append-only';
    end $$
    $sql$,
    -- Followers of the exploration hear of each row, and what was remembered of its workspace is read again.
    $sql$
    create function {schema}.note_history () returns trigger language plpgsql set search_path = pg_catalog, {schema}, pg_temp as $$
    begin
      insert into changes (workspace_id, exploration_id) select distinct workspace_id, exploration_id from new_rows;
      insert into uncommitted_workspace_changes (workspace_id) select distinct workspace_id from new_rows on conflict do nothing;
      return null;
    end $$
    $sql$,
    $sql$
    create function {schema}.keep_package_version () returns trigger language plpgsql set search_path = pg_catalog, {schema}, pg_temp as $$
    begin
      insert into package_versions (exploration_id, artifact_type, version, title, markdown, updated_at)
      select o.exploration_id, o.artifact_type, o.version, o.title, o.markdown, o.updated_at
      from old_rows o join new_rows n using (exploration_id, artifact_type)
      where (o.title, o.markdown) is distinct from (n.title, n.markdown)
      on conflict (exploration_id, artifact_type, version)
        do update set title = excluded.title, markdown = excluded.markdown, updated_at = excluded.updated_at;
      return null;
    end $$
    $sql$,
    -- The questions of the record are what readers and the search read. Those of the rows are more: who asked, and about which item.
    $sql$
    create function {schema}.publish_questions (its_ids uuid[], its_time timestamptz) returns void language sql set search_path = pg_catalog, {schema}, pg_temp as $$
      update explorations e set questions = r.questions, updated_at = greatest(e.updated_at, its_time)
      from (
        select asked.id, coalesce((
          select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', q.id, 'section', q.section, 'question', q.question))
            || jsonb_build_object('answer', q.answer, 'status', q.status) order by q.position)
          from questions q where q.exploration_id = asked.id), '[]') as questions
        from unnest(its_ids) asked (id)
      ) r where e.id = r.id and e.questions is distinct from r.questions
    $$
    $sql$,
    -- A record that is written, such as by an import, brings its questions; those that were asked here stay.
    $sql$
    create function {schema}.write_questions (its_records jsonb) returns void language plpgsql set search_path = pg_catalog, {schema}, pg_temp as $$
    declare
      its_ids uuid[] := array(select (r ->> 'id')::uuid from jsonb_array_elements(its_records) r);
      known jsonb;
    begin
      select jsonb_agg(to_jsonb(q)) into known from questions q where q.exploration_id = any(its_ids);
      delete from questions where exploration_id = any(its_ids) and position < 1000000;
      insert into questions (exploration_id, position, id, section, question, answer, status, item_id, blocks_item, asked_by, answered_by,
        created_at, answered_at, changed_here)
      select (r ->> 'id')::uuid, q.place, q.value ->> 'id', q.value ->> 'section', q.value ->> 'question', q.value ->> 'answer',
        q.value ->> 'status', coalesce(k.item_id, q.value ->> 'item_id'), coalesce(k.blocks_item, false),
        coalesce(k.asked_by, case when q.value ? 'asked_by' then jsonb_build_object('user', q.value -> 'asked_by') end),
        coalesce(k.answered_by, case when q.value ? 'answered_by' then jsonb_build_object('user', q.value -> 'answered_by') end),
        coalesce(k.created_at, (q.value ->> 'created_at')::timestamptz, now()),
        coalesce(k.answered_at, (q.value ->> 'answered_at')::timestamptz), coalesce(k.changed_here, false)
      from jsonb_array_elements(its_records) r cross join lateral jsonb_array_elements(r -> 'questions') with ordinality q (value, place)
      left join lateral (
        select * from jsonb_to_recordset(coalesce(known, '[]')) as k (exploration_id uuid, position integer, id text, item_id text,
          blocks_item boolean, asked_by jsonb, answered_by jsonb, created_at timestamptz, answered_at timestamptz, changed_here boolean)
        where k.exploration_id = (r ->> 'id')::uuid and k.id = q.value ->> 'id' limit 1
      ) k on true
      where coalesce(k.position, 0) < 1000000;
      if exists (select from questions where exploration_id = any(its_ids) and position >= 1000000)
        or exists (select from jsonb_array_elements(its_records) r cross join lateral jsonb_array_elements(r -> 'questions') q
          where q ?| array['item_id', 'asked_by', 'answered_by', 'created_at', 'answered_at']) then
        perform publish_questions(its_ids, null);
      end if;
    end $$
    $sql$,
    $sql$
    create function {schema}.write_questions_of_new () returns trigger language plpgsql set search_path = pg_catalog, {schema}, pg_temp as $$
    declare
      records jsonb;
    begin
      select jsonb_agg(jsonb_build_object('id', id, 'questions', questions)) into records from new_rows where questions <> '[]';
      if records is not null then perform write_questions(records); end if;
      return null;
    end $$
    $sql$,
    $sql$
    create function {schema}.write_questions_of_changed () returns trigger language plpgsql set search_path = pg_catalog, {schema}, pg_temp as $$
    declare
      records jsonb;
    begin
      select jsonb_agg(jsonb_build_object('id', n.id, 'questions', n.questions)) into records
      from new_rows n join old_rows o using (id) where n.questions is distinct from o.questions;
      if records is not null then perform write_questions(records); end if;
      return null;
    end $$
    $sql$,
    $sql$
    create function {schema}.end_leases (its_ids uuid[], its_reason text) returns void language sql set search_path = pg_catalog, {schema}, pg_temp as $$
      with ended as (
        delete from leases where (exploration_id, item_id) in (select exploration_id, item_id from leases where id = any(its_ids)) returning *
      )
      insert into history (exploration_id, workspace_id, kind, target, before, after, events)
      select l.exploration_id, e.workspace_id, 'lease', l.item_id,
        jsonb_build_object('lease', jsonb_build_object('id', l.id, 'credential_id', l.credential_id, 'credential', l.credential,
          'user_id', l.user_id, 'user', l."user", 'since', rfc3339(l.since), 'until', rfc3339(l.until), 'lapsed', l.lapsed)), jsonb_build_object('lease', null),
        jsonb_build_array(jsonb_build_object('kind', 'lease_ended', 'item_id', l.item_id, 'text', its_reason))
      from ended l join explorations e on e.id = l.exploration_id
    $$
    $sql$,
    -- What may no longer write holds nothing: in the transaction that takes it away.
    $sql$
    create function {schema}.end_leases_of_credential () returns trigger language plpgsql set search_path = pg_catalog, {schema}, pg_temp as $$
    begin
      perform end_leases(array(
        select l.id from leases l join explorations e on e.id = l.exploration_id
        where l.credential_id = old.id and (tg_op = 'DELETE' or new.revoked_at is not null or new.expiry_noted_at is not null
          or new.scope = 'read' or (new.workspace_ids is not null and e.workspace_id <> all(new.workspace_ids)))
      ), 'its credential may no longer write');
      return null;
    end $$
    $sql$,
    $sql$
    create function {schema}.end_leases_of_workspace () returns trigger language plpgsql set search_path = pg_catalog, {schema}, pg_temp as $$
    begin
      perform end_leases(array(
        select l.id from leases l join explorations e on e.id = l.exploration_id where e.workspace_id = new.id
      ), 'the workspace lets agents read only');
      return null;
    end $$
    $sql$,
    $sql$
    create function {schema}.end_leases_of_member () returns trigger language plpgsql set search_path = pg_catalog, {schema}, pg_temp as $$
    begin
      perform end_leases(array(
        select l.id from leases l join explorations e on e.id = l.exploration_id
        where l.user_id = old.user_id and e.workspace_id = old.workspace_id
      ), 'its user may no longer write there');
      return null;
    end $$
    $sql$,
    $sql$
    create function {schema}.end_leases_of_user () returns trigger language plpgsql set search_path = pg_catalog, {schema}, pg_temp as $$
    begin
      perform end_leases(array(select id from leases where user_id = new.id), 'its user was deactivated');
      return null;
    end $$
    $sql$
  ] loop
    execute replace(definition, '{schema}', quote_ident(current_schema()));
  end loop;
end $migration$;

-- A direct delete; what goes with its exploration goes by a trigger of the foreign key.
create trigger append_only before delete on history for each statement when (pg_trigger_depth() = 0) execute function refuse_change_of_history();
create trigger unchanged before update or truncate on history for each statement execute function refuse_change_of_history();
create trigger note_insert after insert on history referencing new table as new_rows for each statement execute function note_history();
create trigger keep_version after update on requirement_packages referencing old table as old_rows new table as new_rows
  for each statement execute function keep_package_version();
create trigger write_questions_of_new after insert on explorations referencing new table as new_rows
  for each statement when (pg_trigger_depth() = 0) execute function write_questions_of_new();
create trigger write_questions_of_changed after update on explorations referencing old table as old_rows new table as new_rows
  for each statement when (pg_trigger_depth() = 0) execute function write_questions_of_changed();
create trigger end_leases after delete or update of revoked_at, expiry_noted_at, scope, workspace_ids on credentials
  for each row execute function end_leases_of_credential();
create trigger end_leases after update of agents, archived_at on workspaces for each row
  when (new.agents = 'read' or new.archived_at is not null) execute function end_leases_of_workspace();
create trigger end_leases_of_former after delete on memberships for each row execute function end_leases_of_member();
create trigger end_leases_of_viewer after update of role on memberships for each row when (new.role = 'viewer')
  execute function end_leases_of_member();
create trigger end_leases after update of deactivated_at on users for each row when (new.deactivated_at is not null)
  execute function end_leases_of_user();

insert into questions (exploration_id, position, id, section, question, answer, status)
select e.id, q.place, q.value ->> 'id', q.value ->> 'section', q.value ->> 'question', q.value ->> 'answer', q.value ->> 'status'
from explorations e cross join lateral jsonb_array_elements(e.questions) with ordinality q (value, place);
