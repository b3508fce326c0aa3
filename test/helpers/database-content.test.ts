// A database that one test leaves to the next has the same rows again, whatever was written to it.
import t from 'tap'
import { contentOf, restore } from './database-content.js'
import { openEmptyEmbedded } from './embedded-database.js'

t.test('rows are restored', async (t) => {
  const db = await openEmptyEmbedded()
  t.teardown(() => db.close())
  await db.script(`
    create table owners (id serial primary key, name text);
    create table things (id serial primary key, owner int references owners on delete cascade, upper text generated always as ('X') stored);
    create table counts (owners int);
    create function count_owners () returns trigger language plpgsql as $$
      begin insert into counts select count(*) from owners; return null; end $$;
    create trigger count_owners after insert or delete on owners for each statement execute function count_owners();
    alter table owners enable always trigger count_owners;
    insert into owners (name) values ('one'), ('two');
    insert into things (owner) values (2), (1), (2)`)
  const full = await contentOf(db)
  await db.query('truncate owners, things, counts')
  const empty = await contentOf(db)
  t.same(new Set(full.rows.map(({ table }) => table)), new Set(['owners', 'things', 'counts']))
  t.same(empty.rows, [])
  const changes = {
    nothing: 'select 1',
    'a row more': "insert into owners (name) values ('three')",
    'another order': "update owners set name = 'one' where name = 'one'",
    'rows less': 'delete from owners where id = 2',
    'a table that nothing refers to': 'update things set owner = 1',
    truncated: 'truncate owners cascade',
    'more than a small table': "insert into owners (name) select repeat('x', 100) from generate_series(1, 6000)",
    'a sequence': "select nextval('owners_id_seq')",
    'a transaction that is taken back': 'begin; delete from owners; rollback'
  }
  await restore(db, full)
  for (const [name, change] of Object.entries(changes)) {
    await db.pglite.exec(change)
    await restore(db, full)
    t.same(await contentOf(db), full, name)
  }
  for (const content of [empty, full, empty, empty, full]) {
    await restore(db, content)
    t.same(await contentOf(db), content, 'other rows')
  }
})
