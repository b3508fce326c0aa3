// Which errors mean that the database is away, and which statements may be run twice.
import t from 'tap'
import { isRead, outageOf } from '../../../src/db/postgres/postgres-outage.js'

const coded = (code: string) => Object.assign(new Error('said in any language'), { code })

t.test('outages', async (t) => {
  for (const code of ['57P01', '08006', '25006', 'ECONNRESET']) t.equal(outageOf(coded(code)), 'lost', code)
  for (const code of ['ECONNREFUSED', '53300', '57P03', '57014', '55P03', '40P01']) t.equal(outageOf(coded(code)), 'away', code)
  for (const code of ['23505', '42P01', '22P02', '42501', 'constructor']) t.equal(outageOf(coded(code)), undefined, code)
  t.equal(outageOf(new Error('Connection terminated unexpectedly')), 'lost')
  t.equal(outageOf(new Error('timeout exceeded when trying to connect')), 'away')
  t.equal(outageOf(new Error('Connection terminated due to connection timeout')), 'away')
  t.equal(outageOf(new Error('no')), undefined)
  t.equal(outageOf('ECONNRESET'), undefined)
})

t.test('statements that change nothing', async (t) => {
  for (const text of ['select 1', '\n  select id from users', 'with x as (select 1) select * from x']) t.ok(isRead(text), text)
  for (const text of ['insert into a values (1)', 'with gone as (delete from a returning *) select * from gone', 'select * from a for update',
    'select purge_audit_events($1)', 'select nextval($1)', 'begin', 'update a set b = 1']) t.notOk(isRead(text), text)
})
