// Operators are told when Valkey may drop what limits are counted in.
import t from 'tap'
import { evictionWarning } from '../../src/cluster/valkey-memory.js'
import { VALKEY, valkey } from '../helpers/valkey.js'

t.test('what INFO memory says', async (t) => {
  const said = async (info: string) => await evictionWarning({ ask: async () => info as never })
  const info = (policy: string, limit = '268435456') =>
    `# Memory\r\nused_memory:1\r\nmaxmemory:${limit}\r\nmaxmemory_human:256.00M\r\nmaxmemory_policy:${policy}\r\n`
  for (const policy of ['volatile-ttl', 'allkeys-lru']) {
    t.match(await said(info(policy)), new RegExp(`maxmemory-policy ${policy}.*Set maxmemory-policy noeviction`), policy)
  }
  t.equal(await said(info('noeviction')), undefined)
  t.equal(await said(info('allkeys-lru', '0')), undefined, 'nothing is evicted without a bound')
  t.equal(await said(''), undefined, 'one that does not say')
})

t.test('a real one is understood', { skip: VALKEY === undefined && 'no TEST_VALKEY_URL' }, async (t) => {
  const connection = await valkey(t)
  t.match(await connection.ask((commands) => commands.info('memory')), /\nmaxmemory_policy:[a-z-]+\r?\n/)
  t.equal(await evictionWarning(connection), undefined)
})
