// The search is prepared when an agent connects or a person opens the list, so that no first question waits for the search worker.
import t from 'tap'
import { build, handshake, modern, post } from '../helpers/build.js'
import { until } from '../helpers/until.js'
import { webServer } from '../helpers/web.js'

t.test('when an agent connects with a valid credential, and not before', async (t) => {
  const events: string[] = []
  const { app, key } = await build(t, {}, [], undefined, undefined, { prepareSearch: () => { events.push('prepared') } })
  const prepared = (times: number) => until(async () => events.filter((event) => event === 'prepared').length >= times)
  t.equal((await post(app, 'not-a-key', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })).status, 401)
  t.equal((await modern(app, undefined, 'server/discover')).status, 401)
  t.equal((await modern(app, key, 'tools/call', { name: 'ping', arguments: {} })).status, 200)
  t.equal((await modern(app, key, 'tools/list', { cursor: 'x' })).status, 400)
  const methods = ['initialize', 'server/discover', 'tools/list']
  for (const [before, method] of methods.entries()) {
    events.push(method)
    await (method === 'initialize' ? handshake(app, key) : modern(app, key, method))
    await prepared(before + 1)
  }
  t.strictSame(events, methods.flatMap((method) => [method, 'prepared']))
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
