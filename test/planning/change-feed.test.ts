// The feed of changes under stress: a follower who is slower than the changes, a database that is away for a while.
import t from 'tap'
import { changeFeed, type ChangedRow } from '../../src/planning/change-feed.js'
import { sqlChanges } from '../../src/db/planning/sql-changes.js'
import { database } from '../helpers/database.js'
import { until } from '../helpers/until.js'

t.test('a slow follower costs no memory for what it has not read, and misses nothing', async (t) => {
  const db = await database(t)
  let away = false
  let statements = 0
  const feed = changeFeed(sqlChanges({
    query: (text, values) => {
      statements++
      return away ? Promise.reject(new Error('away')) : db.query(text, values)
    }
  }), (error) => { if (!away) t.error(error) })
  t.teardown(() => feed.close())
  const write = (n: number) => db.query(`insert into changes (workspace_id, artifact_type)
    select gen_random_uuid(), n::text from generate_series(1, ${n}) n`)
  const stop = new AbortController()
  const from = await feed.position()
  const told: string[] = []
  const read = async (rows: AsyncIterable<readonly ChangedRow[]>, pause = async () => {}) => {
    for await (const batch of rows) {
      told.push(...batch.map(({ artifact_type: name }) => name!))
      await pause()
    }
  }
  let go = (): void => {}
  const slowly = new Promise<void>((resolve) => { go = resolve })
  const reading = read(feed.follow(from, stop.signal), () => slowly)
  await write(1)
  await until(() => told.length === 1)
  const quick: string[] = []
  const other = (async () => {
    for await (const rows of feed.follow(from, stop.signal)) quick.push(...rows.map(({ position }) => position))
  })()
  for (let round = 0; round < 3; round++) await write(3000)
  await until(() => quick.length === 9001)
  const before = statements
  go()
  await until(() => told.length === 9001)
  t.ok(statements - before >= 5, 'it reads again what was let go')
  t.same([...new Set(told)].length, 3000)
  t.equal(new Set(quick).size, 9001)
  away = true
  stop.abort()
  await Promise.all([reading, other])
})

t.test('an outage is told once, and its end', async (t) => {
  const db = await database(t)
  let away = false
  let failed = 0
  const said: string[] = []
  const feed = changeFeed(sqlChanges({
    query: (text, values) => {
      if (!away) return db.query(text, values)
      failed++
      return Promise.reject(new Error('away'))
    }
  }), (error) => said.push(error instanceof Error ? error.message : 'back'))
  t.teardown(() => feed.close())
  feed.watchAccess({ isNeeded: () => true, onRevoked: () => {}, onMembershipChanged: () => {} })
  away = true
  await until(() => failed >= 3)
  t.same(said, ['away'])
  away = false
  await until(() => said.length > 1)
  t.same(said, ['away', 'back'])
})

t.test('a source that does not answer keeps no follower from ending', async (t) => {
  const never = new Promise<never>(() => {})
  const asked: string[] = []
  const source = (hanging: 'position' | 'after') => ({
    position: () => { asked.push('position'); return hanging === 'position' ? never : Promise.resolve('1.0') },
    after: () => { asked.push('after'); return never },
    recentlyRevoked: async () => [],
    purge: async () => {}
  })
  for (const hanging of ['position', 'after'] as const) {
    for (const end of ['the feed', 'the signal']) {
      const feed = changeFeed(source(hanging), (error) => t.error(error))
      const stop = new AbortController()
      asked.length = 0
      const next = feed.follow('1.0', stop.signal).next()
      await until(() => asked.includes(hanging))
      if (end === 'the feed') feed.close()
      else stop.abort()
      t.match(await next, { done: true }, `${hanging}, ended by ${end}`)
      feed.close()
    }
  }
})
