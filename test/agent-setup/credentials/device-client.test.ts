import { createServer, type RequestListener } from 'node:http'
import t, { type Test } from 'tap'
import { inspectToken } from '../../../src/agent-setup/credentials/token-api.js'
import { deviceGrant } from '../../../src/agent-setup/credentials/device-client.js'
import { listeningPort } from '../../helpers/listening-port.js'

const idle = new AbortController().signal

/** A server that answers polls one after the other. */
const scripted = async (
  t: Test, answers: Array<[status: number, body: object] | 'hang up'>, offer: object = {}
): Promise<URL> => {
  const listener: RequestListener = (request, reply) => {
    request.resume()
    if (request.url === '/base/api/v1/device/authorization') {
      reply.end(JSON.stringify({
        device_code: 'd',
        user_code: 'BCDF-GHJK',
        verification_uri: 'https://x.example/device',
        expires_in: 600,
        interval: 5,
        ...offer
      }))
      return
    }
    const answer = answers.shift() ?? [400, { error: 'authorization_pending' }]
    if (answer === 'hang up') request.socket.destroy()
    else reply.writeHead(answer[0]).end(JSON.stringify(answer[1]))
  }
  return new URL(`http://127.0.0.1:${await listeningPort(t, createServer(listener))}/base/mcp`)
}

t.test('intervals: as told, five seconds more after slow_down, twice as long when no one answers', async (t) => {
  const waited: number[] = []
  const url = await scripted(t, [
    [400, { error: 'authorization_pending' }], [400, { error: 'slow_down' }], [400, { error: 'authorization_pending' }], 'hang up', [503, {}],
    [200, { access_token: 'svc_pat_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB' }]
  ])
  const granted = await deviceGrant(url, {
    name: 'n', show () {}, signal: idle, wait: async (seconds) => { waited.push(seconds) }
  })
  t.strictSame(granted, { token: 'svc_pat_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB', id: undefined, expires_at: null })
  t.strictSame(waited, [5, 5, 10, 10, 20, 40])
})

t.test('no token: denied, expired, refused, no time left, no such server, Ctrl-C', async (t) => {
  const ask = async (answers: Parameters<typeof scripted>[1], offer?: object) =>
    deviceGrant(await scripted(t, answers, offer), { name: 'n', show () {}, signal: idle, wait: async () => {} })
  await t.rejects(ask([[400, { error: 'access_denied' }]]), /denied/)
  await t.rejects(ask([[400, { error: 'expired_token' }]]), /Start again/)
  await t.rejects(ask([[400, { error: 'invalid_grant', error_description: 'Used already.' }]]), /Used already\./)
  await t.rejects(ask([], { expires_in: 0 }), /Start again/)
  await t.rejects(ask([], { user_code: undefined }), /--token-file/)
  await t.rejects(deviceGrant(new URL('http://127.0.0.1:1/mcp'), { name: 'n', show () {}, signal: idle }), /cannot be reached/)
  await t.rejects(inspectToken(await scripted(t, []), 'x'), /does not answer like/)
  const stop = new AbortController()
  await t.rejects(deviceGrant(await scripted(t, []), { name: 'n', show () { stop.abort() }, signal: stop.signal }), { name: 'AbortError' })
})
