-- What search reads of an exploration, apart from what people read: the words of all its texts, and their meaning as vectors.
create extension if not exists btree_gin;

create table search_documents (
  exploration_id uuid primary key references explorations on delete cascade,
  workspace_id uuid not null,
  -- title A, summaries and tags B, questions C, packages D
  document tsvector not null
);
create index search_documents_words on search_documents using gin (workspace_id, document);
insert into search_documents select id, workspace_id, document from explorations;

-- With the workspace in it, what one workspace has is not looked for among all titles.
create index explorations_workspace_title on explorations using gin (workspace_id, title gin_trgm_ops);
drop index explorations_title_trigrams;
alter table explorations drop column document;

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
insert into search_queue (exploration_id, words) select id, false from explorations;

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

-- An embedder's vectors get an index of their own, as each has its own number of dimensions. The function runs with the rights of
-- the schema's owner, so that the server's own role can change the embedder.
create function adopt_embedder (its_name text, its_version text, its_dimensions integer, its_settings jsonb) returns smallint
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
    -- Vectors of more than 2,000 dimensions can be indexed in half precision, of more than 4,000 not at all.
    if its_dimensions <= 4000 then
      execute format('create index exploration_vectors_%s on exploration_vectors using hnsw ((embedding::%s(%s)) %2$s_cosine_ops) with (m = 12, ef_construction = 40) where embedder = %1$s',
        its_id, case when its_dimensions <= 2000 then 'vector' else 'halfvec' end, its_dimensions);
    end if;
  else
    update embedders set adopted_at = clock_timestamp(), settings = its_settings where id = its_id;
  end if;
  insert into search_queue (exploration_id, words) select id, false from explorations
  on conflict (exploration_id) do update set change = excluded.change, meaning = true, claimed_until = '-infinity';
  return its_id;
end $$;
revoke all on function adopt_embedder from public;

-- The newest embedder is through: what those before it left goes.
create function complete_embedder (its_id smallint) returns void language plpgsql security definer set search_path from current as $$
declare
  old smallint;
begin
  update embedders set completed_at = clock_timestamp() where id = its_id;
  for old in select id from embedders where id <> its_id loop
    execute format('drop index if exists exploration_vectors_%s', old);
    delete from embedders where id = old;
  end loop;
end $$;
revoke all on function complete_embedder from public;
