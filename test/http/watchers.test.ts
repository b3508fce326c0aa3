// Nothing that watches can kill: wire log, observer, telemetry, audit and change feed throw, hang, and are fed with the largest and
// the deepest message, while other callers are answered. tap fails this file for an uncaught exception or an unhandled rejection.
// @no-services: what watches a server
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createObserver } from '../../src/engine/observer/observer.js'
import type { ServerDeps } from '../../src/server/dependencies.js'
import type { Meter } from '../../src/telemetry/meter.js'
import type { AuditLog } from '../../src/access/audit/audit-log.js'
import { build, legacy, handshake, meta, modernRequest, toolCall, type Server } from '../helpers/build.js'
import { sampleDatabase } from '../helpers/database.js'
import { wire } from '../helpers/wire.js'

const db = await sampleDatabase(t)

const HANGING = new Promise<never>(() => {})
const ping = (key: string) => toolCall(key, 'ping')
const boom = (): never => { throw new RangeError('Maximum call stack size exceeded') }
const LIMITS = {
  rateLimitReadPerMinute: '100000', rateLimitReadPerDay: '1000000', bodyLimitBytes: '1048576', logLevel: 'error'
}

/** A request of a tool's list with this text of JSON in its parameters. */
const listing = (json: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta(), x: 0 } }).replace('"x":0', `"x":${json}`)

const HOSTILE = {
  deepest: listing('['.repeat(60) + ']'.repeat(60)),
  'too deep': listing('['.repeat(200_000) + ']'.repeat(200_000)),
  largest: listing(JSON.stringify('\u{1F600}'.repeat(250_000))),
  'many small': listing(`[${'{},'.repeat(300_000)}0]`),
  escapes: listing(`"${'\\u005f'.repeat(150_000)}"`),
  'no JSON': '"\\u'.repeat(200_000)
}

/** The status of an answer that is read to its end. */
const statusOf = async (url: string, init: RequestInit): Promise<number> => {
  const reply = await fetch(url, init)
  await reply.text()
  return reply.status
}

/** Sends every hostile message several times at once, and asks as another caller meanwhile. */
const load = async (t: Test, { app, key, narrowKey }: Server): Promise<void> => {
  const { url } = app.server.listening ? { url: `${app.listeningOrigin}/mcp` } : await wire(t, app, key)
  const { headers } = modernRequest(key, 'tools/list')
  const attack = Object.values(HOSTILE).map((body) => statusOf(url, { method: 'POST', headers, body }))
  const others = Array.from({ length: 10 }, () => statusOf(url, modernRequest(narrowKey, 'tools/list')))
  t.same(new Set(await Promise.all(others)), new Set([200]), 'other callers are answered')
  const statuses = new Set(await Promise.all(attack))
  t.ok([...statuses].every((status) => [200, 400].includes(status)), `the attacker is answered: ${[...statuses].join()}`)
  t.equal(await statusOf(url, ping(narrowKey)), 200, 'and afterwards')
}

t.test('the wire log and the observer, fed with the worst', async (t) => {
  const seen = createObserver({ onError: (error) => t.fail(String(error)) })
  const server = await build(t, { ...LIMITS, wireLog: join(t.testdir(), 'wire.ndjson') }, [seen.record], db)
  await load(t, server)
  t.same(server.log, [], 'neither fails')
})

t.test('a wire log that cannot be written, onlookers and telemetry that throw, reject or never end', async (t) => {
  const meter: Meter = { operation: boom, request: boom, requestStarted: boom, rateLimited: boom, sessionOpened: boom, sessionEnded: boom }
  const onlookers = [boom, async () => boom(), () => HANGING]
  const server = await build(t, { ...LIMITS, wireLog: '/dev/full' }, onlookers, db, undefined, { metrics: { meter, gauge: () => {} } })
  await load(t, server)
  const session = await handshake(server.app, server.key)
  t.equal((await legacy(server.app, server.key, session, 'ping')).status, 200, 'sessions too')
  for (const told of ['an exchange could not be recorded', 'telemetry failed']) {
    t.equal(server.log.filter((line) => line.includes(told)).length, 1, `the log says so, once a minute: ${told}`)
  }
})

t.test('an audit log and a change feed that throw, reject or hang', async (t) => {
  let release = (): void => {}
  const held = new Promise<never[]>((resolve) => { release = () => resolve([]) })
  let record: AuditLog['record'] = async () => {}
  let after: ServerDeps['changes']['after'] = async () => []
  const server = await build(t, LIMITS, [], db, undefined, {
    audit: { record: (event) => record(event), purge: async () => 0, createPartitions: async () => 0 },
    auditTimeoutMs: 50,
    changes: { position: async () => '1.1', after: (position) => after(position), recentlyRevoked: async () => [], purge: async () => {} }
  })
  const { url } = await wire(t, server.app, server.key)
  const statusFor = (request: RequestInit) => statusOf(url, request)
  for (const [name, fails] of Object.entries({ throws: boom, rejects: async () => boom(), hangs: () => held })) {
    after = fails
    const listening = await fetch(url, modernRequest(server.key, 'subscriptions/listen', { notifications: { toolsListChanged: true } }))
    t.equal(listening.status, 200)
    t.equal(await statusFor(ping(server.narrowKey)), 200, `a change feed that ${name}`)
    await listening.body?.cancel()
    record = fails as AuditLog['record']
    t.equal(await statusFor(ping(server.key)), name === 'hangs' ? 503 : 500, `an audit log that ${name}: the call that needs the row fails`)
    t.equal(await statusFor(modernRequest('svc_key_nobody', 'tools/list')), 401, 'a refusal is answered, its row or not')
    t.equal(await statusFor(modernRequest(server.narrowKey, 'tools/list')), 200, 'a call that needs none is answered')
    record = async () => {}
  }
  release()
})
