// What Valkey refuses is no outage, only what it cannot do for now; and operators are told when it may drop what limits are counted in.
import { Redis } from 'iovalkey'
import t from 'tap'
import { evictionWarning } from '../../src/cluster/valkey.js'
import { VALKEY, valkey } from '../helpers/valkey.js'

t.test('a Valkey that evicts', async (t) => {
  const said = async (policy: string, limit = '268435456') => await evictionWarning({
    ask: async () => `# Memory\r\nused_memory:1\r\nmaxmemory:${limit}\r\nmaxmemory_human:256.00M\r\nmaxmemory_policy:${policy}\r\n` as never
  })
  for (const policy of ['volatile-ttl', 'allkeys-lru']) t.match(await said(policy), new RegExp(`maxmemory-policy ${policy}.*Set maxmemory-policy noeviction`), policy)
  t.equal(await said('noeviction'), undefined)
  t.equal(await said('allkeys-lru', '0'), undefined, 'nothing is evicted without a bound')
})

t.test('error replies', { skip: VALKEY === undefined && 'no TEST_VALKEY_URL' }, async (t) => {
  const connection = await valkey(t)
  t.match(await connection.ask((commands) => commands.info('memory')), /\nmaxmemory_policy:[a-z-]+\r?\n/, 'a real one says its policy')
  const said: string[] = []
  let back = (): void => {}
  connection.watch((reason) => {
    said.push(reason === undefined ? 'back' : 'away')
    if (reason === undefined) back()
  })

  await t.test('a command that is wrong is a bug of anyone who asks', async (t) => {
    const wrong: Array<(commands: Redis) => Promise<unknown>> = [
      (commands) => commands.xrange('exploration-mcp:nothing', '(0-1.5', '+'),
      (commands) => commands.call('NO SUCH COMMAND'),
      (commands) => commands.eval('return redis.error_reply("WRONG")', 0)
    ]
    for (const work of wrong) await t.rejects(connection.ask(work), { name: 'ReplyError' } as never)
    t.notOk(connection.away)
    t.same(said, [])
  })

  for (const reply of ['OOM command not allowed', 'READONLY You can\'t write', 'LOADING the dataset', 'CLUSTERDOWN Hash slot not served', 'NOAUTH Authentication required.', 'MISCONF no disk']) {
    await t.test(reply, async (t) => {
      said.length = 0
      const isBack = new Promise<void>((resolve) => { back = resolve })
      await t.rejects(connection.ask((commands) => commands.eval(`return redis.error_reply("${reply}")`, 0)), { kind: 'unavailable' } as never)
      t.ok(connection.away)
      await isBack
      t.same(said, ['away', 'back'])
    })
  }
})
