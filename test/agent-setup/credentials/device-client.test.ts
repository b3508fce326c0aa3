// The client of the device grant: how long it waits between polls, and what it takes for a token.
/* eslint-disable no-template-curly-in-string -- what agents fill in */
import { createServer } from 'node:http'
import t from 'tap'
import { inspectToken } from '../../../src/agent-setup/credentials/token-api.js'
import { deviceGrant } from '../../../src/agent-setup/credentials/device-client.js'
import { listeningPort } from '../../helpers/listening-port.js'

type Poll = [status: number, body: object] | 'hang up'
const TOKEN = `svc_pat_${'B'.repeat(32)}`
const OFFER = { device_code: 'd', user_code: 'BCDF-GHJK', verification_uri: 'https://x.example/device', expires_in: 600, interval: 5 }

let polls: Poll[] = []
let offer: object = OFFER
const server = createServer((request, reply) => {
  request.resume()
  if (request.url === '/base/api/v1/device/authorization') return reply.end(JSON.stringify(offer))
  const answer = polls.shift() ?? [400, { error: 'authorization_pending' }]
  return answer === 'hang up' ? request.socket.destroy() : reply.writeHead(answer[0]).end(JSON.stringify(answer[1]))
})
const url = new URL(`http://127.0.0.1:${await listeningPort(t, server)}/base/mcp`)

const ask = (answers: Poll[], { offered = {}, onWait = () => {} }: { offered?: object, onWait?: (seconds: number) => void } = {}) => {
  polls = answers
  offer = { ...OFFER, ...offered }
  return deviceGrant(url, { name: 'n', show () {}, signal: new AbortController().signal, wait: async (seconds) => { onWait(seconds) } })
}

t.test('intervals: as told, five seconds more after slow_down, twice as long when no one answers', async (t) => {
  const waited: number[] = []
  const granted = await ask([
    [400, { error: 'authorization_pending' }], [400, { error: 'slow_down' }], [400, { error: 'authorization_pending' }], 'hang up', [503, {}],
    [200, { access_token: TOKEN }]
  ], { onWait: (seconds) => { waited.push(seconds) } })
  t.strictSame(granted, { token: TOKEN, id: undefined, expires_at: null })
  t.strictSame(waited, [5, 5, 10, 10, 20, 40])
})

t.test('no token: expired, refused, no time left, no such server', async (t) => {
  await t.rejects(ask([[400, { error: 'expired_token' }]]), /Start again/)
  await t.rejects(ask([[400, { error: 'invalid_grant', error_description: 'Used already.' }]]), /Used already\./)
  await t.rejects(ask([], { offered: { expires_in: 0 } }), /Start again/)
  await t.rejects(ask([], { offered: { user_code: undefined } }), /--token-file/)
  await t.rejects(inspectToken(url, 'x'), /does not answer like/)
})

t.test('nothing but a token is a token, and what comes with it is an id and a time', async (t) => {
  const given = (body: object) => ask([[200, { access_token: TOKEN, ...body }]])
  const none = ['${env:AWS}', '{file:~/.vault-token}', '$(cat x)', `${TOKEN}\${AWS}`, `${TOKEN}\n`, `${TOKEN} `, `${TOKEN}\u202e`, TOKEN.slice(0, -1), '', `svc_key_${'K'.repeat(40)}`,
    7, null, {}, [TOKEN]]
  for (const token of none) {
    await t.rejects(given({ access_token: token }), { name: 'Refusal', message: /is no token of an exploration-mcp server/ }, JSON.stringify(token))
  }
  for (const id of ['a b', '$x', '../x', 7, null]) await t.rejects(given({ token_id: id }), { name: 'Refusal' }, `${id}`)
  for (const at of ['soon', '${env:AWS}', 7, '2026-01-01T00:00:00Z\n']) await t.rejects(given({ expires_at: at }), { name: 'Refusal' }, `${at}`)
  const rest = { id: 'a-1', expires_at: '2027-01-01T00:00:00Z' }
  t.strictSame(await given({ token_id: rest.id, expires_at: rest.expires_at }), { token: TOKEN, ...rest })
})
