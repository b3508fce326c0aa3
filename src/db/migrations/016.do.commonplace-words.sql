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
  sample := format('select document from search_documents tablesample bernoulli (%s) repeatable (1)', least(100, 200000.0 / present));
  execute format('select count(*) from (%s) sampled', sample) into counted;
  insert into commonplace_words select word, ndoc::real / counted from ts_stat(sample) where ndoc > counted / 100.0;
end $$;
