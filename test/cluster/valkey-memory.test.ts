// Operators are told when Valkey may drop what limits are counted in.
import t from 'tap'
import { evictionWarning, warningOf } from '../../src/cluster/valkey-memory.js'
import { VALKEY, valkey } from '../helpers/valkey.js'

t.test('what INFO memory says', async (t) => {
  const info = (policy: string, limit = '268435456') =>
    `# Memory\r\nused_memory:1\r\nmaxmemory:${limit}\r\nmaxmemory_human:256.00M\r\nmaxmemory_policy:${policy}\r\n`
  for (const policy of ['volatile-ttl', 'volatile-lru', 'allkeys-lru', 'allkeys-random']) {
    t.match(warningOf(info(policy)), new RegExp(`maxmemory-policy ${policy}.*Set maxmemory-policy noeviction`), policy)
  }
  t.equal(warningOf(info('noeviction')), undefined)
  t.equal(warningOf(info('allkeys-lru', '0')), undefined, 'nothing is evicted without a bound')
  t.equal(warningOf(''), undefined, 'one that does not say')
})

t.test('a real one is understood', { skip: VALKEY === undefined && 'no TEST_VALKEY_URL' }, async (t) => {
  const connection = await valkey(t)
  t.match(await connection.ask((commands) => commands.info('memory')), /\nmaxmemory_policy:[a-z-]+\r?\n/)
  t.equal(await evictionWarning(connection), undefined)
})
