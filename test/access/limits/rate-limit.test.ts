// Two windows a credential, one an address: counted, published, refused.
import t from 'tap'
import { build, handshake, modern, post } from '../../helpers/build.js'
import { meets } from '../../conformance/requirements.js'

interface Refused { error: { code: number, data: Record<string, unknown> } }

const { app, key, narrowKey, people, credentials } = await build(t, {
  rateLimitReadPerMinute: '3',
  rateLimitReadPerDay: '4',
  rateLimitReadWritePerMinute: '100',
  rateLimitReadWritePerDay: '2',
  rateLimitAdminPerMinute: '4',
  failedAuthPerMinute: '2'
})
const [user] = await people.listUsers()
const keyOf = async (scope: 'read' | 'read_write' | 'admin') => (await credentials.createKey({ user: user!.id, name: scope, scope })).key

t.test('the minute', async (t) => {
  meets('tool-limits')
  const first = await modern(app, key, 'tools/list')
  t.equal(first.headers['ratelimit-policy'], '"minute";q=3;w=60, "day";q=4;w=86400')
  t.match(first.headers['ratelimit'], /^"minute";r=2;t=\d+, "day";r=3;t=\d+$/)
  await modern(app, key, 'tools/list')
  t.equal((await modern(app, key, 'tools/list')).status, 200)
  const refused = await modern<Refused>(app, key, 'tools/list')
  t.equal(refused.status, 429)
  t.equal(refused.body.error.code, 429)
  t.match(refused.headers['ratelimit'], /^"minute";r=0;t=\d+, "day";r=1;t=\d+$/, 'the day is not eaten')
  const seconds = Number(refused.headers['retry-after'])
  t.ok(seconds > 0 && seconds <= 60)
  t.match(refused.body.error.data, {
    scope: 'read',
    window: 'minute',
    limit: 3,
    remaining: 0,
    retry_after_seconds: seconds,
    reset_at: /^\d{4}-.*Z$/
  })
  t.equal((await modern(app, narrowKey, 'tools/list')).status, 200, 'another credential has its own')
})

t.test('requests to complete count as calls do; a batch counts once per message; the day has its own limit', async (t) => {
  meets('completion-limited')
  const own = await keyOf('read')
  const params = { ref: { type: 'ref/resource', uri: 'service://workspace/{workspaceId}/explorations' }, argument: { name: 'workspaceId', value: '' } }
  const statuses: number[] = []
  for (let n = 0; n < 4; n++) statuses.push((await modern(app, own, 'completion/complete', params)).status)
  t.strictSame(statuses, [200, 200, 200, 429])

  const batching = await keyOf('admin')
  const headers = { 'mcp-session-id': await handshake(app, batching, '2025-03-26') }
  const batch = [1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
  t.strictSame([(await post(app, batching, batch, headers)).status, (await post(app, batching, batch, headers)).status], [200, 429])

  const daily = await keyOf('read_write')
  for (let n = 0; n < 2; n++) await modern(app, daily, 'tools/list')
  t.match((await modern<Refused>(app, daily, 'tools/list')).body.error.data, { scope: 'read_write', window: 'day', limit: 2 })
})

t.test('guessing is limited by address, whatever the guess', async (t) => {
  for (let n = 0; n < 3; n++) t.equal((await modern(app, undefined, 'tools/list')).status, 401, 'nothing is guessed without a credential')
  for (const letter of ['A', 'B']) t.equal((await modern(app, `svc_pat_${letter.repeat(32)}`, 'tools/list')).status, 401)
  const refused = await modern<Refused>(app, 'anything', 'tools/list')
  t.equal(refused.status, 429)
  t.match(refused.body.error.data, { scope: 'address', window: 'minute', limit: 2 })
  t.equal((await modern(app, narrowKey, 'tools/list')).status, 200, 'a valid credential from there still works')
})
