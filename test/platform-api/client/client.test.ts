// A front and a platform that is away, slow, wrong, or says too much.
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Fault, Refusal } from '../../../src/lib/errors.js'
import { platformAudit } from '../../../src/platform-api/client/platform-audit.js'
import { PlatformProtocolError } from '../../../src/platform-api/client/errors.js'
import { callers } from '../../../src/platform-api/client/credential-operations.js'
import { platformCredentials } from '../../../src/platform-api/client/credentials.js'
import type { PlatformOptions } from '../../../src/platform-api/client/client.js'
import { records } from '../../../src/platform-api/client/record-operations.js'
import { sessions } from '../../../src/platform-api/client/session-operations.js'
import { platformEndedSessions, platformSessionNotes } from '../../../src/platform-api/client/platform-sessions.js'
import { platformStore } from '../../../src/platform-api/client/platform-store.js'
import { json, oddPlatform, silent, status, type Behaviour } from '../../helpers/odd-platform.js'
import { askerOf, TOKEN } from '../../helpers/platform.js'

const ID = '11111111-1111-4111-8111-111111111111'
const OTHER = '22222222-2222-4222-8222-222222222222'
const WORKSPACE = { id: ID, slug: 'a', name: 'A', created_at: '2026-01-01T00:00:00.000Z', exploration_count: 0 }
const PAGE = { workspaces: [WORKSPACE] }

const start = async (t: Test, behaviours: Behaviour[], settings: Partial<PlatformOptions> = {}) => {
  const odd = await oddPlatform(t, ...behaviours)
  const platform = askerOf(t, odd.url, settings)
  const list = () => platform.request(records.listWorkspaces, { body: { workspace_ids: [ID], limit: 5 } })
  return { odd, platform, list }
}

const faultOf = async (work: Promise<unknown>): Promise<Fault> => {
  const error = await work.then(() => undefined, (reason: unknown) => reason)
  if (error instanceof Fault) return error
  throw new Error(`no fault: ${String(error)}`)
}

t.test('a read is asked again, a device code is not', async (t) => {
  const { odd, platform, list } = await start(t, [status(500), status(502), json(PAGE)])
  t.strictSame(await list(), PAGE)
  t.equal(odd.asked.length, 3)
  odd.next(status(500))
  t.match(await faultOf(list()), {
    kind: 'unavailable', data: { retry_after_seconds: 1 }, cause: { message: /answered listWorkspaces with 500/ }
  })
  t.equal(odd.asked.length, 6, 'three times at most')
  odd.next(status(500), json({ codes: {} }))
  t.match(
    await faultOf(platform.request(callers.requestDevice, { body: { name: 'x', remote_address: '::1' } })),
    { kind: 'unavailable' }
  )
  odd.next(status(500), json({ refused: 'slow_down' }))
  t.match(await faultOf(platform.request(callers.redeemDevice, { body: { device_code: 'x' } })), { kind: 'unavailable' })
  t.equal(odd.asked.length, 8, 'nor is a poll for a token')
})

t.test('anyone who says when to come again is not asked before', async (t) => {
  const { odd, list } = await start(t, [status(503, { 'retry-after': '7' })])
  t.match(await faultOf(list()), { data: { retry_after_seconds: 7 } })
  t.equal(odd.asked.length, 1)
  odd.next(status(429, { 'retry-after': '99999' }))
  t.match(await faultOf(list()), { data: { retry_after_seconds: 60 } }, 'within reason')
})

t.test('half an answer, a cut connection: asked again', async (t) => {
  const half: Behaviour = (reply) => {
    reply.writeHead(200, { 'content-length': '1000' }).write('{"workspaces":[')
    setImmediate(() => reply.destroy())
  }
  const cut: Behaviour = (reply) => { reply.destroy() }
  const { odd, list } = await start(t, [half, cut, json(PAGE)])
  t.strictSame(await list(), PAGE)
  t.equal(odd.asked.length, 3)
})

t.test('one that is silent, at the first byte or between bytes, is given up', async (t) => {
  const stuck: Behaviour = (reply) => { reply.writeHead(200).write('{') }
  for (const behaviour of [silent, stuck]) {
    const { list } = await start(t, [behaviour], { timeoutMs: 200 })
    t.match(await faultOf(list()), { kind: 'unavailable', cause: { message: /did not answer within/ } })
  }
  const { odd, list } = await start(t, [silent, json(PAGE)], { timeoutMs: 1000 })
  t.strictSame(await list(), PAGE, 'the first attempt leaves time for another')
  t.equal(odd.asked.length, 2)
})

t.test('who does not wait any more is not waited for', async (t) => {
  const { odd, platform } = await start(t, [silent])
  const gone = new AbortController()
  const asking = platform.request(records.listWorkspaces, { body: { workspace_ids: [ID], limit: 5 }, signal: gone.signal })
  while (odd.asked.length === 0) await sleep(2)
  gone.abort(new Error('gone'))
  await t.rejects(asking, { message: 'gone' })
  t.equal(odd.asked.length, 1)
})

t.test('what is no answer is an error of ours, with nothing of it for the caller', async (t) => {
  const wrong: Array<[string, Behaviour]> = [
    ['not JSON', (reply) => { reply.writeHead(200).end('<html>hunter2</html>') }],
    ['empty', (reply) => { reply.writeHead(204).end() }],
    ['another shape', json({ workspaces: 'all' })],
    ['a field of the wrong kind', json({ workspaces: [{ ...WORKSPACE, exploration_count: 'many' }] })],
    ['an id that is none', json({ workspaces: [{ ...WORKSPACE, id: '../../..' }] })],
    ['null', json(null)],
    ['deeper than anything', (reply) => { reply.writeHead(200).end('['.repeat(100_000)) }],
    ['a status that means nothing', status(418)],
    ['a cursor refused that no one sent', status(422)]
  ]
  for (const [name, behaviour] of wrong) {
    const { odd, list } = await start(t, [behaviour])
    await t.rejects(list(), PlatformProtocolError, name)
    t.equal(odd.asked.length, 1, 'and not asked for again')
  }
  const { odd, platform } = await start(t, [json({})])
  for (const answer of [{}, { principal: {} }, { refused: 'maybe' }, { refused: 'unknown', principal: null }]) {
    odd.next(json(answer))
    await t.rejects(platformCredentials(platform).verify('svc_key_x'), PlatformProtocolError, 'who neither knows nor refuses a credential has not answered')
  }
})

t.test('too much is not read, and what it says beside is left out', async (t) => {
  let sent = 0
  const flood: Behaviour = (reply) => {
    const chunk = Buffer.alloc(65_536, 32)
    const more = (): void => { while (!reply.destroyed && reply.write(chunk)) sent += chunk.length }
    reply.writeHead(200).on('drain', more)
    more()
  }
  const { platform } = await start(t, [flood])
  await t.rejects(platform.request(callers.verifyCredential, { body: { secret: 'x' } }), { message: /more than 1048576 bytes/ })
  t.ok(sent < 16 * 1024 * 1024)
  const { list } = await start(t, [json({ workspaces: [{ ...WORKSPACE, owner_password: 'hunter2' }], debug: {} })])
  t.strictSame(await list(), PAGE)
})

t.test('records that were not asked for are not shown; a foreign cursor is refused in our words', async (t) => {
  const { odd, platform } = await start(t, [json({ workspaces: [{ ...WORKSPACE, id: OTHER }] })])
  const store = platformStore(platform)
  await t.rejects(store.workspaces.list([ID], { limit: 5 }), PlatformProtocolError)
  odd.next(json({ ...WORKSPACE, id: OTHER }))
  await t.rejects(store.workspaces.get([ID], ID), PlatformProtocolError)
  odd.next(json({ exploration_id: OTHER, artifact_type: 'design', markdown: '', version: 1, updated_at: WORKSPACE.created_at }))
  await t.rejects(store.packages.get(ID, 'design'), PlatformProtocolError)
  odd.next(json({ recommendations: [{ id: ID, exploration_id: ID, kind: 'strategy', title: 'x', body: '', status: 'proposed' }] }))
  await t.rejects(store.recommendations.approved(ID), PlatformProtocolError, 'nor what no one approved')
  odd.asked.length = 0
  t.equal(await store.workspaces.get([ID], OTHER), undefined)
  t.equal(await store.packages.get(ID, '../../credentials'), undefined)
  t.equal(await store.explorations.get('./'), undefined)
  t.equal(odd.asked.length, 0, 'what cannot be there is not asked for')

  odd.next(status(422))
  const pages: Array<Promise<unknown>> = [
    store.workspaces.list([ID], { limit: 5, cursor: 'x' }),
    store.explorations.list(ID, { limit: 5, cursor: 'x' }),
    store.search.find({ query: 'x', visible: [ID], limit: 5, cursor: 'x' })
  ]
  for (const page of pages) await t.rejects(page, new Refusal('This cursor is not one of this list\'s. Start again without a cursor.'))
})

t.test('one that does not let the front in, or is no platform, is away, and the operator reads why', async (t) => {
  for (const [behaviour, words] of [
    [status(401), /Check PLATFORM_TOKEN/], [status(403), /Check PLATFORM_TOKEN/], [status(404), /check PLATFORM_URL/],
    [status(302, { location: 'https://evil.example/' }), /a redirect, which is not followed/]
  ] as const) {
    const { odd, platform, list } = await start(t, [behaviour])
    t.match(await faultOf(list()), {
      kind: 'unavailable', message: 'The platform is away. Try again in a moment.', cause: { message: words }
    })
    t.equal(odd.asked.length, 1)
    await t.rejects(platform.probe(), { message: words })
  }
})

t.test('one that fails again and again is left alone, and tried by one', async (t) => {
  const { odd, platform, list } = await start(t, [json(PAGE)], { restMs: 60 })
  const news: string[] = []
  platform.watch((reason) => { news.push(reason === undefined ? 'back' : 'away') }, () => {})
  t.strictSame(await list(), PAGE)
  await odd.down()
  t.match(await faultOf(list()), { kind: 'unavailable', cause: { message: /cannot be reached \(ECONNREFUSED\)/ } })
  await faultOf(list())
  t.match(await faultOf(list()), { kind: 'unavailable', data: { retry_after_seconds: 1 } })
  t.same(news, ['away'])
  await odd.up()
  odd.asked.length = 0
  while (await list().then(() => false, () => true)) await sleep(5)
  t.equal(odd.asked.length, 1)
  t.same(news, ['away', 'back'])
  await Promise.all(Array.from({ length: 10 }, list))
})

t.test('while one tries, the others do not wait for it', async (t) => {
  const { odd, list } = await start(t, [status(500)], { restMs: 50, timeoutMs: 60_000 })
  for (let n = 0; n < 2; n++) await faultOf(list())
  const answers: Array<() => void> = []
  odd.next((reply, request) => { answers.push(() => json(PAGE)(reply, request)) })
  const waiting = new Set<Promise<unknown>>()
  while (answers.length === 0) {
    const asking: Promise<unknown> = list().catch(() => {}).finally(() => waiting.delete(asking))
    waiting.add(asking)
    await sleep(5)
  }
  t.match(await faultOf(list()), { kind: 'unavailable' })
  t.equal(waiting.size, 1, 'the one that tries')
  odd.next(json(PAGE))
  for (const answer of answers) answer()
  await Promise.all(waiting)
  t.strictSame(await list(), PAGE)
})

t.test('connections are kept, the token goes along, nothing but the token', async (t) => {
  const { odd, platform, list } = await start(t, [json(PAGE)], { connections: 2 })
  for (let n = 0; n < 10; n++) await list()
  await Promise.all(Array.from({ length: 20 }, list))
  t.ok(odd.connections() <= 2)
  t.match(odd.headers[0], {
    authorization: `Bearer ${TOKEN}`,
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': /^exploration-mcp\//
  })
  odd.next(json(WORKSPACE))
  await platform.request(records.getWorkspace, { params: { id: ID } })
  t.equal(odd.asked.at(-1), `GET /api/v1/workspaces/${ID}`)
  odd.next(json({ name: 'x', version: '1' }))
  for (const [path, asked] of [['', ''], ['/', ''], ['/team/', '/team'], ['/team/api/v1', '/team'], ['/api/v1/', '']] as const) {
    await askerOf(t, `${odd.url}${path}`).probe()
    t.equal(odd.asked.at(-1), `GET ${asked}/api/v1/platform`, 'its address may have a path, and /api/v1')
  }
})

t.test('what a platform does not have is done without, and asked for again later', async (t) => {
  for (const code of [404, 405, 501]) {
    const { odd, platform } = await start(t, [status(code)])
    const lacking: string[] = []
    platform.watch(() => {}, ({ id }) => { lacking.push(id) })
    t.equal(await platform.request(sessions.listChanges), undefined)
    t.equal(await platform.request(sessions.listChanges), undefined)
    t.equal(odd.asked.length, 1)
    t.same(lacking, ['listChanges'])

    const ended = platformEndedSessions(platform)
    await ended.add('one', Date.now() + 1000)
    t.same([await ended.has('one'), await ended.has('two')], [true, false], 'this front knows')
    const preferences = platformSessionNotes(platform)
    await preferences.setLogLevel('s', 'error', Date.now() + 1000)
    t.equal(await preferences.subscribe('s', 'service://workspaces', Date.now() + 1000), true)
    t.strictSame(await preferences.get('s'), { logLevel: 'error', subscriptions: ['service://workspaces'] })
    await preferences.unsubscribe('s', 'service://workspaces')
    await preferences.forget('s')
    t.strictSame(await preferences.get('s'), { logLevel: undefined, subscriptions: [] })
    t.match(await faultOf(platformCredentials(platform).revoke('api_key', ID)), { kind: 'unavailable' })
    t.strictSame(await platformStore(platform).workspaces.complete([ID], 'a', 5), [])
  }
})

t.test('audit events: together, once each by their ids, sent again after a failure; kept or not', async (t) => {
  const batches: Array<Array<{ id: string, action: string }>> = []
  const keeping: Behaviour = (reply, { text }) => {
    const { events } = JSON.parse(text)
    batches.push(events)
    json({ kept: events.length })(reply, {} as never)
  }
  const lost: Behaviour = (reply, { text }) => {
    batches.push(JSON.parse(text).events)
    reply.destroy()
  }
  const { odd, platform } = await start(t, [lost, keeping])
  const audit = platformAudit(platform)
  const known = { outcome: 'ok', duration_ms: 1, request_id: 'r', remote_address: '::1', workspace_id: 'made up' }
  const event = (action: string) => ({ action, ...known, client: `bad\0\ud800${'x'.repeat(5000)}` })
  await Promise.all(['a', 'b', 'c'].map((action) => audit.record(event(action))))
  t.equal(batches.length, 2)
  t.strictSame(batches[0], batches[1], 'the same events with the same ids')
  t.equal(new Set(batches[0]!.map(({ id }) => id)).size, 3)
  t.match(batches[0]![0], { action: 'a', workspace_id: undefined, client: /^bad\ufffd\ufffdx{195}$/ })
  odd.next(json({ kept: 0 }))
  await t.rejects(audit.record(event('d')), PlatformProtocolError, 'one that was not kept')
  odd.next(status(500))
  t.match(await faultOf(audit.record(event('e'))), { kind: 'unavailable' })
})
