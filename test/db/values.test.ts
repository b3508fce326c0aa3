// Values come back alike from the embedded database and from a server.
import t from 'tap'
import { database } from '../helpers/database.js'

const ID = '00000000-0000-4000-8000-000000000000'
const VALUES: ReadonlyArray<readonly [sql: string, value: unknown]> = [
  ['1::int8', 1], ['-9007199254740991::int8', -9007199254740991], ['9007199254740993::int8', 9007199254740993n], ['count(*)', 1], ['1::int4', 1],
  ['1.5::float8', 1.5], ['1.50::numeric', '1.50'], ['true', true], ['null', null], ["'a'::text", 'a'], [`'${ID}'::uuid`, ID],
  ["'2026-07-28 09:30:00.123+02'::timestamptz", new Date('2026-07-28T07:30:00.123Z')], ['\'{"a":[1,null]}\'::jsonb', { a: [1, null] }],
  ['\'"a"\'::jsonb', 'a'], ["array['a',null,'b,c']::text[]", ['a', null, 'b,c']], [`array['${ID}']::uuid[]`, [ID]], ['array[1,2]::int8[]', [1, 2]]
]

t.test('values of each type', async (t) => {
  const db = await database(t)
  for (const [sql, value] of VALUES) t.strictSame(await db.query(`select ${sql} as value`), [{ value }], sql)
  const [bytes] = await db.query<{ value: Uint8Array }>("select '\\xdeadbeef'::bytea as value")
  t.equal(Buffer.from(bytes!.value).toString('hex'), 'deadbeef')
})
