// When a server does its upkeep.
import { mock } from 'node:test'
import t from 'tap'
import pino from 'pino'
import { startMaintenance } from '../../src/server/maintenance.js'

t.test('the first upkeep waits until the server has started, but for the partitions that events need', async (t) => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  t.teardown(() => mock.timers.reset())
  const done: string[] = []
  const job = (name: string) => async (): Promise<never> => {
    done.push(name)
    throw new Error('is only logged')
  }
  const log = pino({ level: 'silent' })
  const jobs = startMaintenance({ auditRetentionDays: 30 }, {
    credentials: { markExpired: job('credentials') } as never,
    audit: { createPartitions: job('partitions'), purge: job('purge') } as never,
    web: undefined,
    log
  })
  await Promise.resolve()
  t.same(done, ['partitions'])
  mock.timers.tick(10_000)
  await Promise.resolve()
  t.same(done, ['partitions', 'credentials', 'purge'])
  await new Promise(setImmediate)
  mock.timers.tick(50_000)
  await Promise.resolve()
  t.same(done, ['partitions', 'credentials', 'purge', 'credentials'], 'a minute after the start')
  await jobs.stop()
  mock.timers.tick(3_600_000)
  await Promise.resolve()
  t.equal(done.length, 4, 'nothing after it was stopped')
})
