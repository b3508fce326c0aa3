// What is said on one replica is heard once on each.
import { once, EventEmitter } from 'node:events'
import t from 'tap'
import { valkeyBus } from '../../src/store/valkey-bus.js'
import { VALKEY, valkey } from '../helpers/valkey.js'

t.test('said here, heard here at once and there soon', { skip: VALKEY === undefined && 'needs TEST_VALKEY_URL' }, async (t) => {
  const one = await valkey(t, VALKEY!)
  const here = valkeyBus(one)
  const there = valkeyBus(await valkey(t, VALKEY!))
  const heard: string[] = []
  const arrived = new EventEmitter()
  here.subscribe('task', ({ id }) => heard.push(`here ${id}`))
  there.subscribe('task', ({ id }) => {
    heard.push(`there ${id}`)
    arrived.emit(id)
  })
  here.publish('task', { id: 'a' })
  t.same(heard, ['here a'])
  await once(arrived, 'a')
  await one.commands.publish('exploration-mcp:bus', 'not JSON')
  await one.commands.publish('exploration-mcp:bus', '{"from":"x","topic":"constructor","signal":{}}')
  here.publish('task', { id: 'b' })
  await once(arrived, 'b')
  t.same(heard, ['here a', 'there a', 'here b', 'there b'], 'each once; what is no signal is ignored')
})
