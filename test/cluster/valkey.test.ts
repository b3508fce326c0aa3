// What Valkey refuses is no outage: only what it cannot do for now is one.
import { Redis } from 'iovalkey'
import t from 'tap'
import { VALKEY, valkey } from '../helpers/valkey.js'

t.test('error replies', { skip: VALKEY === undefined && 'no TEST_VALKEY_URL' }, async (t) => {
  const connection = await valkey(t)
  const said: string[] = []
  connection.watch((reason) => said.push(reason === undefined ? 'back' : 'away'))

  await t.test('a command that is wrong is a bug of anyone who asks', async (t) => {
    const wrong: Array<(commands: Redis) => Promise<unknown>> = [
      (commands) => commands.xrange('exploration-mcp:nothing', '(0-1.5', '+'),
      (commands) => commands.call('NO SUCH COMMAND'),
      (commands) => commands.eval('return redis.error_reply("WRONG")', 0),
      async (commands) => {
        await commands.set('exploration-mcp:test', 'text', 'PX', 1000)
        return commands.xadd('exploration-mcp:test', '*', 'a', 'b')
      }
    ]
    for (const work of wrong) await t.rejects(connection.ask(work), { name: 'ReplyError' } as never)
    t.notOk(connection.away)
    t.same(said, [])
  })

  for (const reply of ['OOM command not allowed', 'READONLY You can\'t write', 'LOADING the dataset', 'CLUSTERDOWN Hash slot not served', 'NOAUTH Authentication required.', 'MISCONF no disk']) {
    await t.test(reply, async (t) => {
      said.length = 0
      const back = new Promise<void>((resolve) => { connection.watch((reason) => { if (reason === undefined) resolve() }) })
      await t.rejects(connection.ask((commands) => commands.eval(`return redis.error_reply("${reply}")`, 0)), { kind: 'unavailable' } as never)
      t.ok(connection.away)
      await back
      t.same(said, ['away', 'back'])
    })
  }
})
