-- The choices of a question are a part of it in the record, too. Otherwise both functions are those of 039.
do $migration$
declare
  definition text;
begin
  foreach definition in array array[
    $sql$
    create or replace function {schema}.publish_questions (its_ids uuid[], its_time timestamptz) returns void language sql set search_path = pg_catalog, {schema}, pg_temp as $$
      update explorations e set questions = r.questions, updated_at = greatest(e.updated_at, its_time)
      from (
        select asked.id, coalesce((
          select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', q.id, 'section', q.section, 'question', q.question, 'options', q.options))
            || jsonb_build_object('answer', q.answer, 'status', q.status) order by q.position)
          from questions q where q.exploration_id = asked.id), '[]') as questions
        from unnest(its_ids) asked (id)
      ) r where e.id = r.id and e.questions is distinct from r.questions
    $$
    $sql$,
    $sql$
    create or replace function {schema}.write_questions (its_records jsonb) returns void language plpgsql set search_path = pg_catalog, {schema}, pg_temp as $$
    declare
      its_ids uuid[] := array(select (r ->> 'id')::uuid from jsonb_array_elements(its_records) r);
      known jsonb;
    begin
      select jsonb_agg(to_jsonb(q)) into known from questions q where q.exploration_id = any(its_ids);
      delete from questions where exploration_id = any(its_ids) and position < 1000000;
      insert into questions (exploration_id, position, id, section, question, answer, status, item_id, blocks_item, asked_by, answered_by,
        created_at, answered_at, changed_here, options)
      select (r ->> 'id')::uuid, q.place, q.value ->> 'id', q.value ->> 'section', q.value ->> 'question', q.value ->> 'answer',
        q.value ->> 'status', coalesce(k.item_id, q.value ->> 'item_id'), coalesce(k.blocks_item, false),
        coalesce(k.asked_by, case when q.value ? 'asked_by' then jsonb_build_object('user', q.value -> 'asked_by') end),
        coalesce(k.answered_by, case when q.value ? 'answered_by' then jsonb_build_object('user', q.value -> 'answered_by') end),
        coalesce(k.created_at, (q.value ->> 'created_at')::timestamptz, now()),
        coalesce(k.answered_at, (q.value ->> 'answered_at')::timestamptz), coalesce(k.changed_here, false), q.value -> 'options'
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
    $sql$
  ] loop
    execute replace(definition, '{schema}', quote_ident(current_schema()));
  end loop;
end $migration$;
