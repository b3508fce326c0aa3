-- Lists are cut by these times and show them in milliseconds: what is finer would be skipped between two pages.
alter table explorations
  alter column created_at type timestamptz(3),
  alter column updated_at type timestamptz(3);

-- What full text search reads of an exploration. A tsvector has a size that no text stays below for certain (1 MiB of different
-- words), so a text that is too rich is indexed by its beginning.
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
