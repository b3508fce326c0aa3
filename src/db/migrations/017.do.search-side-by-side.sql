-- A thousand vectors are compared one by one as quickly as an index finds the nearest of them, and keeping the index takes longer than
-- all else of writing a vector: an embedder's vectors get theirs when there are so many. Called now and then while they are written.
create function index_vectors (its_id smallint) returns void language plpgsql security definer set search_path from current as $$
declare
  its_index text := 'exploration_vectors_' || its_id;
  its_dimensions integer;
begin
  if to_regclass(its_index) is not null or (select count(*) from (select from exploration_vectors where embedder = its_id limit 1000) counted) < 1000 then
    return;
  end if;
  lock table embedders in share row exclusive mode;
  select dimensions into its_dimensions from embedders where id = its_id;
  -- Vectors of more than 2,000 dimensions can be indexed in half precision, of more than 4,000 not at all.
  if its_dimensions <= 4000 and to_regclass(its_index) is null then
    execute format('create index %1$I on exploration_vectors using hnsw ((embedding::%2$s(%3$s)) %2$s_cosine_ops) with (m = 12, ef_construction = 40) where embedder = %4$s',
      its_index, case when its_dimensions <= 2000 then 'vector' else 'halfvec' end, its_dimensions, its_id);
  end if;
end $$;
revoke all on function index_vectors from public;

create or replace function adopt_embedder (its_name text, its_version text, its_dimensions integer, its_settings jsonb) returns smallint
language plpgsql security definer set search_path from current as $$
declare
  its_id smallint;
  newest smallint;
begin
  lock table embedders in share row exclusive mode;
  select id into newest from embedders order by adopted_at desc, id desc limit 1;
  select id into its_id from embedders where name = its_name and version = its_version;
  if its_id is not null and its_id = newest then return its_id; end if;
  if its_id is null then
    insert into embedders (name, version, dimensions, settings, adopted_at) values (its_name, its_version, its_dimensions, its_settings, clock_timestamp())
    returning id into its_id;
  else
    update embedders set adopted_at = clock_timestamp(), settings = its_settings where id = its_id;
  end if;
  insert into search_queue (exploration_id, words) select id, false from explorations
  on conflict (exploration_id) do update set change = excluded.change, meaning = true, claimed_until = '-infinity';
  return its_id;
end $$;

-- Words and meaning are written side by side: whoever is through last settles an exploration, which neither can know beforehand.
create function settle_search () returns trigger language plpgsql as $$
begin
  delete from search_queue where exploration_id = new.exploration_id and not words and not meaning;
  return null;
end $$;
create trigger settle after update on search_queue for each row when (not new.words and not new.meaning) execute function settle_search();
