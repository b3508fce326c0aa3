// Two windows a credential, one an address: counted, published, refused.
import t from 'tap'
import { build, handshake, modern, post } from '../../helpers/build.js'
import { meets } from '../../conformance/requirements.js'

interface Refused { error: { code: number, data: Record<string, unknown> } }

t.test('the minute', async (t) => {
  meets('tool-limits')
  const { app, key, narrowKey } = await build(t, { rateLimitReadPerMinute: '3', rateLimitReadPerDay: '4' })
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

t.test('requests to complete count as calls do', async (t) => {
  meets('completion-limited')
  const { app, key } = await build(t, { rateLimitReadPerMinute: '2' })
  const complete = () => modern(app, key, 'completion/complete',
    {
      ref: { type: 'ref/resource', uri: 'service://workspace/{workspaceId}/explorations' },
      argument: { name: 'workspaceId', value: '' }
    })
  t.strictSame([(await complete()).status, (await complete()).status, (await complete()).status], [200, 200, 429])
})

t.test('the day, which refused calls of the minute do not eat', async (t) => {
  const { app, key } = await build(t, { rateLimitReadPerMinute: '100', rateLimitReadPerDay: '2' })
  await modern(app, key, 'tools/list')
  await modern(app, key, 'tools/list')
  const refused = await modern<Refused>(app, key, 'tools/list')
  t.match(refused.body.error.data, { scope: 'read', window: 'day', limit: 2 })
})

t.test('a batch counts once per message', async (t) => {
  const { app, key } = await build(t, { rateLimitReadPerMinute: '4' })
  const headers = { 'mcp-session-id': await handshake(app, key, '2025-03-26') }
  const batch = [1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
  t.equal((await post(app, key, batch, headers)).status, 200)
  t.equal((await post(app, key, batch, headers)).status, 429)
})

t.test('guessing is limited by address, whatever the guess', async (t) => {
  const { app, key } = await build(t, { failedAuthPerMinute: '2' })
  for (let n = 0; n < 3; n++) t.equal((await modern(app, undefined, 'tools/list')).status, 401, 'nothing is guessed without a credential')
  t.equal((await modern(app, 'svc_pat_' + 'A'.repeat(32), 'tools/list')).status, 401)
  t.equal((await modern(app, 'svc_pat_' + 'B'.repeat(32), 'tools/list')).status, 401)
  const refused = await modern<Refused>(app, 'anything', 'tools/list')
  t.equal(refused.status, 429)
  t.match(refused.body.error.data, { scope: 'address', window: 'minute', limit: 2 })
  t.equal((await modern(app, key, 'tools/list')).status, 200, 'a valid credential from there still works')
})
