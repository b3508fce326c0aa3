// The search is prepared when an agent connects or a person opens the list, so that no first question waits for the search worker.
import t from 'tap'
import { build, handshake, modern, post } from '../helpers/build.js'
import { until } from '../helpers/until.js'
import { webServer } from '../helpers/web.js'

t.test('when an agent connects with a valid credential, and not before', async (t) => {
  const events: string[] = []
  const { app, key } = await build(t, {}, [], undefined, undefined, { prepareSearch: () => { events.push('prepared') } })
  const prepared = (times: number) => until(async () => events.filter((event) => event === 'prepared').length >= times)
  const wrong = 'not-a-key'

  t.equal((await post(app, wrong, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })).status, 401)
  t.equal((await modern(app, undefined, 'server/discover')).status, 401)
  t.equal((await modern(app, key, 'tools/call', { name: 'ping', arguments: {} })).status, 200)
  t.equal((await modern(app, key, 'tools/list', { cursor: 'x' })).status, 400)
  events.push('initialize')
  await handshake(app, key)
  await prepared(1)
  events.push('server/discover')
  t.equal((await modern(app, key, 'server/discover')).status, 200)
  await prepared(2)
  events.push('tools/list')
  t.equal((await modern(app, key, 'tools/list')).status, 200)
  await prepared(3)
  t.strictSame(events, ['initialize', 'prepared', 'server/discover', 'prepared', 'tools/list', 'prepared'])
})

t.test('when a person opens the list of explorations, and not for its further pages', async (t) => {
  let prepared = 0
  const server = await webServer(t, {}, undefined, { prepareSearch: () => { prepared++ } })
  t.equal((await server.browser().call('GET', '/explorations')).status, 401)
  const person = await server.signIn(server.wide.id)
  t.equal(prepared, 0)
  const { body } = await person.call<{ next_cursor: string }>('GET', '/explorations?limit=5')
  t.equal(prepared, 1)
  t.equal((await person.call('GET', `/explorations?limit=5&cursor=${body.next_cursor}`)).status, 200)
  t.equal((await person.call('GET', '/explorations?q=payments')).status, 200)
  t.equal(prepared, 1)
})
