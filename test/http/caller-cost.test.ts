// What one caller can cost is bounded: calls at a time, turns at the database, what a request counts as, what anybody may ask.
// @any-node: counts of calls and of statements
import { once } from 'node:events'
import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import t from 'tap'
import { sqlCredentials } from '../../src/db/credentials/sql-credentials.js'
import { createConcurrentCalls } from '../../src/engine/http/concurrent-calls.js'
import { mint } from '../../src/access/credentials/secret.js'
import type { Database } from '../../src/db/sql/database.js'
import { directory } from '../../src/db/people/sql-directory.js'
import type { Search } from '../../src/planning/store.js'
import { build, BOTH, handshake, legacy, modern, modernRequest, post } from '../helpers/build.js'
import { sampleDatabase } from '../helpers/database.js'
import { until } from '../helpers/until.js'
import { wire } from '../helpers/wire.js'

interface Refused { error: { code: number, message: string, data: Record<string, unknown> } }

const db = await sampleDatabase(t)

/** Searches that begin and wait until they are let go, the oldest first. */
const heldSearches = () => {
  const waiting: Array<() => void> = []
  const begun: string[] = []
  const search: Search = {
    find: async ({ query }) => {
      begun.push(query)
      await new Promise<void>((resolve) => { waiting.push(resolve) })
      return { items: [] }
    }
  }
  return { search, begun, waiting, letGo: () => waiting.shift()?.() }
}

const find = (query: string) => ({ name: 'find_explorations', arguments: { query } })

t.test('so many calls of one credential are worked on at a time, some wait, more are refused', async (t) => {
  const held = heldSearches()
  const { app, key, narrowKey } = await build(t, { concurrentCalls: '2' }, [], db, held.search)
  const replies: Array<Awaited<ReturnType<typeof modern<Refused>>>> = []
  const call = async (n: number) => { replies.push(await modern<Refused>(app, key, 'tools/call', find(`call ${n}`))) }
  const running = [call(0), call(1)]
  await until(() => held.begun.length === 2)
  const others = Array.from({ length: 8 + 5 }, (_, n) => call(2 + n))
  await until(() => replies.length === 5)
  for (const refused of replies) {
    t.match(refused, {
      status: 429,
      headers: { 'retry-after': '1' },
      body: { error: { code: 429, data: { scope: 'concurrent_calls', limit: 2 } } }
    })
    t.match(refused.body.error.message, /^This credential has 2 calls under way/)
  }
  t.same(new Set(held.begun), new Set(['call 0', 'call 1']))
  t.equal((await modern(app, narrowKey, 'tools/list')).status, 200, 'another credential has places of its own')
  await until(() => {
    t.ok(held.waiting.length <= 2, 'never more than two')
    held.letGo()
    return replies.length === 15
  })
  await Promise.all([...running, ...others])
  t.equal(replies.filter(({ status }) => status === 200).length, 10)
  t.equal(held.begun.length, 10)
  t.equal((await modern(app, key, 'tools/list')).status, 200, 'and all places are free again')
})

t.test('a credential that has a call running is not forgotten, however many others come and go', async (t) => {
  const calls = createConcurrentCalls({ maxRunning: 1, maxWaiting: 0 })
  const caller = { onDisconnect: () => {} }
  const running = await calls.enter('busy', caller)
  for (let n = 0; n < 1000; n++) (await calls.enter(`caller ${n}`, caller)).leave()
  await t.rejects(calls.enter('busy', caller), /has 1 calls under way/)
  running.leave()
  t.ok(await calls.enter('busy', caller))
})

const single = heldSearches()
const { app: one, key: ownKey } = await build(t, { concurrentCalls: '1' }, [], db, single.search)

t.test('what ends a call needs no place of its own', async (t) => {
  const session = await handshake(one, ownKey)
  const call = legacy(one, ownKey, session, 'tools/call', find('long'))
  await until(() => single.begun.length === 1)
  const cancelled = await post(one, ownKey, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, { 'mcp-session-id': session })
  t.equal(cancelled.status, 202)
  single.letGo()
  await call
})

t.test('a call that its caller left counts as long as it is worked on, and one that waits for a place is forgotten', async (t) => {
  single.begun.length = 0
  const url = `${await one.listen({ host: '127.0.0.1', port: 0 })}/mcp`
  let [received, gone] = [0, 0]
  one.server.on('request', (_, reply: ServerResponse) => {
    received++
    reply.once('close', () => { gone++ })
  })
  const begin = (query: string) => {
    const { body, ...call } = modernRequest(ownKey, 'tools/call', find(query))
    return request(url, { ...call, agent: false }).on('error', () => {}).end(body)
  }
  const left = [begin('left')]
  await until(() => single.begun.length === 1)
  left.push(begin('left while it waits'))
  await until(() => received === 2)
  for (const one of left) one.destroy()
  await until(() => gone === 2)
  const next = once(begin('next'), 'response')
  await until(() => received === 3)
  t.strictSame(single.begun, ['left'], 'its place is not free yet')
  single.letGo()
  await until(() => single.begun.length === 2)
  single.letGo()
  const [answer] = await next as [IncomingMessage]
  t.equal(answer.resume().statusCode, 200)
  t.strictSame(single.begun, ['left', 'next'])
})

t.test('callers take turns at the database', async (t) => {
  const run = (caller: string, times: number) => Array.from({ length: times }, async () => {
    const [row] = await db.query<{ began: string }>(
      'select clock_timestamp()::text as began, pg_sleep(0.005)', [], { caller })
    return { caller, began: row?.began ?? '' }
  })
  // Connections are opened first: one that is not there yet would keep its caller waiting.
  await Promise.all(Array.from({ length: 20 }, (_, n) => run(`early ${n}`, 1)).flat())
  const begun = await Promise.all([...run('greedy', 30), ...run('modest', 1), ...run('also modest', 1)])
  // By the clock of the database, as statements that began one after the other may end in another order.
  const order = begun.sort((one, other) => one.began.localeCompare(other.began)).map(({ caller }) => caller)
  // As many may be under way as there are connections, and one of the greedy comes before each turn of another.
  t.ok(order.indexOf('modest') <= 6 && order.indexOf('also modest') <= 6, order.slice(0, 8).join())
})

t.test('statements for no one in particular go first, and starve no one', async (t) => {
  const order: string[] = []
  const greedy = Array.from({ length: 20 }, () =>
    db.query('select pg_sleep(0.005)', [], { caller: 'greedy' }).then(() => order.push('greedy')))
  const shared = Array.from({ length: 20 }, () => db.query('select pg_sleep(0.005)').then(() => order.push('shared')))
  await Promise.all([...greedy, ...shared])
  const first = order.slice(0, 20)
  t.ok(first.filter((whose) => whose === 'shared').length > 10, first.join())
  t.ok(first.includes('greedy'))
})

t.test('listening', async (t) => {
  const statements: string[] = []
  const query: Database['query'] = (...asked) => {
    statements.push(asked[0])
    return db.query(...asked)
  }
  const { app, people, credentials } = await build(t, { rateLimitReadPerMinute: '150' }, [], { ...db, query })
  const [user] = (await people.listUsers()).sort((one, other) => other.memberships - one.memberships)
  const { key } = await credentials.createKey({ user: user!.id, name: 'listens', scope: 'read' })
  const rows = await db.query<{ id: string }>('select id from explorations order by id')
  const ids = rows.map(({ id }) => id)
  const client = await wire(t, app, key)
  const listen = async (uris: string[]) => {
    statements.length = 0
    const stream = await client.modern('subscriptions/listen', { notifications: { resourceSubscriptions: uris } })
    const message = await stream.message()
    stream.close()
    return message
  }

  t.test('reads nothing of what is listened to, and asks once for all', async (t) => {
    const uris = ids.slice(0, 20).map((id) => `service://exploration/${id}`)
    t.strictSame(((await listen(uris))?.params as { notifications: object }).notifications, { resourceSubscriptions: uris })
    t.equal(statements.filter((text) => /from explorations e\b/.test(text)).length, 1, statements.join('\n'))
    t.notOk(statements.some((text) => /summaries|recommendations/.test(text)))
  })

  t.test('one record in many spellings is one', async (t) => {
    const id = ids[0]!
    const uris = Array.from({ length: 20 }, (_, at) => `service://exploration/${id.slice(0, at)}%${id.charCodeAt(at).toString(16)}${id.slice(at + 1)}`)
    t.strictSame(((await listen(uris))?.params as { notifications: object }).notifications, { resourceSubscriptions: [uris[0]] })
  })

  t.test('is told in the spelling that it named', async (t) => {
    const id = ids[1]!
    const uri = `service://exploration/%${id.charCodeAt(0).toString(16)}${id.slice(1)}`
    const stream = await client.modern('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } })
    await stream.message()
    await db.query("update explorations set title = title || ' (changed)', updated_at = now() where id = $1", [id])
    t.match(await stream.message(), { method: 'notifications/resources/updated', params: { uri } })
    stream.close()
  })

  t.test('counts as many calls as it names things', async (t) => {
    const uris = ids.slice(0, 10).map((id) => `service://exploration/${id}`)
    const remaining = async () => {
      const stream = await client.modern('subscriptions/listen', { notifications: { resourceSubscriptions: uris } })
      stream.close()
      return Number(/"minute";r=(\d+)/.exec(stream.headers.get('ratelimit') ?? '')?.[1])
    }
    const before = await remaining()
    t.equal(await remaining(), before - 10)
  })
})

t.test('guesses beyond the limit of their address are looked up two at a time, and refuse no right one', async (t) => {
  const real = sqlCredentials(db, directory(db))
  const guesses = Array.from({ length: 300 }, () => mint('api_key', 'ABCDEF'))
  let release = (): void => {}
  const released = new Promise<void>((resolve) => { release = resolve })
  let running = 0
  let most = 0
  let isHeld = false
  const credentials = {
    ...real,
    async verify (secret: string) {
      most = Math.max(most, ++running)
      try {
        if (isHeld && guesses.includes(secret)) await released
        return await real.verify(secret)
      } finally {
        running--
      }
    }
  }
  const { app, key } = await build(t, { failedAuthPerMinute: '3' }, [], db, undefined, { credentials })
  const [user] = await directory(db).listUsers()
  const newKey = async () => (await real.createKey({ user: user!.id, name: 'new', scope: 'read' })).key
  const ask = async (credential: string | undefined) => (await modern(app, credential, 'tools/list')).status
  const missing = []
  for (let n = 0; n < 70; n++) missing.push(await ask(undefined))
  t.same(missing, Array(70).fill(401), 'no credential is no guess')
  t.equal(await ask(key), 200)
  t.same(await Promise.all(guesses.slice(0, 4).map(ask)).then((all) => all.sort()), [401, 401, 401, 429])

  most = 0
  const right = await Promise.all(Array.from({ length: 12 }, newKey))
  const wrong = guesses.slice(0, 60).map(ask)
  t.same(await Promise.all(right.map(ask)), Array(12).fill(200), 'new right ones among 60 guesses')
  t.same(await Promise.all(wrong), Array(60).fill(429))
  t.equal(most, 2)

  isHeld = true
  const flood = guesses.map((guess) => modern<{ error: { message: string } }>(app, guess, 'tools/list'))
  await until(() => running === 2)
  t.equal(await ask(key), 200, 'one that has worked waits for nothing')
  t.equal(await ask('malformed'), 429, 'nor does what is none')
  t.equal(await ask(undefined), 401)
  release()
  const answers = await Promise.all(flood)
  const tooMany = answers.filter(({ body }) => /wait to be checked/.test(body.error.message))
  t.match(tooMany[0], { status: 429, headers: { 'retry-after': '1' } })
  t.equal(tooMany.length, 98, '2 are looked up and 200 wait')
})

t.test('what anybody may ask; every method of a valid credential counts; what is too long is refused', async (t) => {
  let looks = 0
  const { app, people, credentials } = await build(t, { platformToken: 'p'.repeat(40), rateLimitReadPerMinute: '2' }, [], db, undefined, {
    databaseReady: async () => ++looks > 0,
    searchIndex: { state: async () => ({ embedder: 'builtin', version: '1', state: 'building', explorations: 4711, pending: 17, answering: null }) }
  })
  const replies = await Promise.all(Array.from({ length: 20 }, () => app.inject('/readyz')))
  t.ok(replies.every(({ statusCode }) => statusCode === 200))
  t.equal(looks, 1, 'readiness is looked at once for all')
  t.equal(replies[0]!.json().checks.search_index, 'building')
  t.notMatch(replies[0]!.body, /4711|17/, 'how much there is no one is told')
  const [one, other] = [await app.inject('/api/v1/openapi.json'), await app.inject('/api/v1/openapi.json')]
  t.match(one.headers['content-type'], 'application/json')
  t.equal(one.json().openapi, '3.1.0')
  t.equal(one.body, other.body)

  const [user] = await people.listUsers()
  const newKey = async (name: string) => (await credentials.createKey({ user: user!.id, name, scope: 'read' })).key
  for (const method of ['GET', 'DELETE', 'HEAD', 'PUT', 'PATCH'] as const) {
    const key = await newKey(method)
    const ask = async () =>
      (await app.inject({ method, url: '/mcp', headers: { host: 'localhost', authorization: `Bearer ${key}`, accept: BOTH } })).statusCode
    t.same([await ask(), await ask(), await ask()], [405, 405, 429], method)
  }
  const key = await newKey('long')
  t.equal((await modern(app, key, 'tools/list', { x: 'x'.repeat(131_072) })).status, 413, 'a body of more than 128 KiB')
  t.match((await modern(app, key, 'tools/call', find('x'.repeat(301)))).text, /300/, 'a query of more than 300 characters')
})
