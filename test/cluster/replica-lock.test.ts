// Replicas that share nothing but the database are not let in beside others.
import t, { type Test } from 'tap'
import { openPostgres } from '../../src/db/postgres/postgres.js'
import { acquireReplicaLock } from '../../src/cluster/replica-lock.js'
import { ownDatabase, SERVER } from '../helpers/database.js'
import { until } from '../helpers/until.js'

const SKIP = { skip: SERVER === undefined && 'no TEST_DATABASE_URL' }

const places = async (t: Test) => {
  const url = await ownDatabase(t, SERVER!)
  const said: string[] = []
  const take = async (sharing: boolean) => {
    const replicaLock = await acquireReplicaLock(url, {
      sharing, tryEveryMs: 20, onChange: (lost) => said.push(lost ? 'lost' : 'back')
    })
    t.teardown(() => replicaLock?.close())
    return replicaLock
  }
  const killer = await openPostgres(url, { connections: 1 })
  t.teardown(() => killer.close())
  const kill = () =>
    killer.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'exploration-mcp replica' and datname = current_database()")
  return { take, kill, said }
}

t.test('alone, or all sharing', SKIP, async (t) => {
  const { take } = await places(t)
  const alone = await take(false)
  t.ok(alone?.held)
  t.equal(await take(false), undefined, 'a second that shares nothing')
  t.equal(await take(true), undefined, 'one that would share, beside one that does not')
  await alone!.close()
  const [one, two] = [await take(true), await take(true)]
  t.ok(one && two)
  t.equal(await take(false), undefined)
})

t.test('a place that was lost with its connection is taken again', SKIP, async (t) => {
  const { take, kill, said } = await places(t)
  const alone = await take(false)
  await kill()
  await until(() => said.includes('back'))
  t.same(said, ['lost', 'back'])
  t.ok(alone!.held)
  t.equal(await take(false), undefined, 'it is really held')
})

t.test('another was faster: it waits for its turn', SKIP, async (t) => {
  const { take, kill, said } = await places(t)
  const alone = await take(false)
  let other
  while (!other) {
    await kill()
    other = await take(false)
  }
  t.equal(said.filter((word) => word === 'back').length, said.filter((word) => word === 'lost').length - 1)
  t.notOk(alone!.held)
  await other.close()
  await until(() => alone!.held)
})
