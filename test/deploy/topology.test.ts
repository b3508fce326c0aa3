// The service as compose.yaml and nginx.conf describe it, as processes: what passes through nginx, and what a rolling restart loses.
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import t from 'tap'
import { BOTH, modernRequest } from '../helpers/build.js'
import { until } from '../helpers/until.js'
import { session, wireTo, type Stream } from '../helpers/wire.js'
import { figuresNamed, read } from './files.js'
import { NO_TOPOLOGY, REPLICAS, topology, type Replica } from './topology.js'

const EXPLORATION = read('src/planning/sample.ndjson').split('\n').filter(Boolean).map((line) => JSON.parse(line)).find(({ type }) => type === 'exploration')
const CALLERS = 6
// Callers wait after each answer, but not until a replica is asked to stop: more than half of them have a call under way then.
const PAUSE_MS = 50

t.test('the whole service', { skip: NO_TOPOLOGY }, async (t) => {
  const service = await topology(t, {
    CONCURRENT_CALLS: '1000',
    RATE_LIMIT_ADMIN_PER_MINUTE: '1000000',
    RATE_LIMIT_ADMIN_PER_DAY: '1000000'
  })
  const { url, run } = service

  t.equal(new Set(service.said.match(/svc_key_\w+/g)).size, 1, 'one key, made by one replica of three that started at once')
  t.match(service.said, `http://localhost:${new URL(url).port}/mcp`)
  const sample = /svc_key_\S+/.exec(service.said)![0]
  const [user] = JSON.parse(run('users', 'list', '--json')).sort((one: { memberships: number }, other: { memberships: number }) => other.memberships - one.memberships)
  const { key } = JSON.parse(run('keys', 'create', '--user', user.email, '--name', 'load', '--scope', 'admin', '--json'))

  const post = (
    body: string,
    { headers = {}, from, path = '/mcp' }: { headers?: Record<string, string>, from?: string, path?: string } = {}
  ) => request(`${url}${path}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: BOTH, ...headers },
    ...(from && { dispatcher: new Agent({ localAddress: from, pipelining: 0 }) })
  })
  const { headers: modern, body: call } = modernRequest(key, 'tools/call', { name: 'list_workspaces', arguments: {} })

  await t.test('a session of which each request reaches another replica', async (t) => {
    const client = wireTo(t, `${url}/mcp`, sample)
    const headers = await session(client)
    for (const id of [1, 2, 3, 4, 5, 6]) {
      t.match(await (await client.post({ id, method: 'tools/list' }, headers)).message(), {
        id, result: {}
      })
    }
    t.equal(new Set(service.passed().filter(({ path }) => path === '/mcp').map(({ replica }) => replica)).size, 3)
  })

  await t.test('refusals, sizes, addresses', async (t) => {
    const big = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { text: 'x'.repeat(1_500_000) } })
    for (const body of [big, big + ' '.repeat(1_500_000)]) {
      const { statusCode, headers, body: reply } = await post(body)
      t.match({ statusCode, headers, reply: await reply.json() }, {
        statusCode: 413, headers: { 'content-type': /json/ }, reply: { jsonrpc: '2.0', error: { code: 413 } }
      })
    }
    const { statusCode, headers, body } = await request(`${url}/mcp/`, {
      method: 'PUT', headers: { authorization: `Bearer ${key}` }
    })
    t.match({ statusCode, headers, body: await body.json() }, {
      statusCode: 405, headers: { allow: 'POST' }, body: { error: { code: 405 } }
    })
    const traced = await request(`${url}/mcp`, { method: 'TRACE' })
    t.match(
      { status: traced.statusCode, body: await traced.body.json() },
      { status: 405, body: { error: { code: 405 } } },
      'said by nginx itself'
    )
    t.equal((await request(`${url}/nothing`)).statusCode, 404)
    t.match(await (await request(`${url}/readyz`)).body.json(), {
      status: 'ok', checks: { valkey: 'ok', migrations: 'ok' }
    })
    t.equal(
      (await post(call, { headers: { ...modern, 'x-forwarded-for': '6.6.6.6', forwarded: 'for=6.6.6.6' }, from: '127.0.0.2' })).statusCode,
      200
    )
    const [event] = JSON.parse(run('audit', '--action', 'tools/call list_workspaces', '--limit', '1', '--json'))
    t.equal(event.remote_address, '127.0.0.2')
  })

  await t.test('figures, of the names that are scaled on and watched; not through nginx', async (t) => {
    t.equal((await request(`${url}/metrics`)).statusCode, 404)
    const figures = await service.metrics('server-2')
    for (const name of figuresNamed()) t.match(figures, new RegExp(`^(# TYPE )?${name}\\b`, 'm'), name)
  })

  await t.test('every replica is replaced under load, and a stream goes on', async (t) => {
    const client = wireTo(t, `${url}/mcp`, sample)
    const headers = await session(client)
    await (await client.post({ id: 1, method: 'resources/subscribe', params: { uri: `service://exploration/${EXPLORATION.id}` } }, headers)).rest()
    const change = (title: string): void => {
      const file = t.testdir() + '/change.ndjson'
      writeFileSync(file, JSON.stringify({ ...EXPLORATION, title, updated_at: new Date().toISOString() }))
      run('import', file)
    }
    let last = ''
    let stream: Stream | undefined
    /** The next thing that changed, on another stream when this one ended. */
    const changed = async (): Promise<unknown> => {
      for (;;) {
        stream ??= await client.get({ ...headers, ...(last !== '' && { 'last-event-id': last }) })
        const { done, value } = await stream.next()
        if (value?.id) last = value.id
        if (value?.message) return value.message
        if (done) stream = undefined
      }
    }
    stream = await client.get(headers)
    await stream.next()
    change('one')
    t.match(await changed(), { method: 'notifications/resources/updated' }, 'heard while the stream is open')

    const outcomes = new Map<string, number>()
    const over = new AbortController()
    let underWay = 0
    let pauseMs = PAUSE_MS
    const load = Promise.all(Array.from({ length: CALLERS }, async () => {
      while (!over.signal.aborted) {
        underWay++
        const outcome = await post(call, { headers: modern }).then(async ({ statusCode, body }) => {
          const reply = await body.json() as { result?: object, error?: { message: string } }
          return statusCode === 200 && reply.result ? 'answered' : `${statusCode} ${reply.error?.message}`
        }, (error: Error) => error.message)
        underWay--
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        if (pauseMs > 0) await sleep(pauseMs)
      }
    }))
    /** Stops a replica in the middle of calls, and starts it again. */
    const replace = async (replica: Replica, signal?: 'SIGKILL'): Promise<void> => {
      pauseMs = 0
      await until(() => underWay > CALLERS / 2)
      const stopped = service.stop(replica, signal)
      pauseMs = PAUSE_MS
      await stopped
      await service.start(replica)
    }
    for (const replica of REPLICAS) {
      const before = outcomes.get('answered') ?? 0
      await replace(replica)
      t.ok(outcomes.get('answered')! > before)
    }
    await replace('server-1', 'SIGKILL')
    change('two')
    t.match(await changed(), { method: 'notifications/resources/updated' })
    over.abort()
    await load
    t.same([...outcomes.keys()], ['answered'], `none lost, by stops or by a kill: ${JSON.stringify([...outcomes])}`)
    t.ok(
      run('audit', '--action', 'tools/call list_workspaces', '--ndjson').trim().split('\n').length >= outcomes.get('answered')!,
      'each on record'
    )
  })

  await t.test('a dump, restored, serves what there was: credentials, sessions, the audit log and who may not change it; also with a newer schema', async (t) => {
    const dump = `${service.inside}/postgres/exploration.dump`
    const headers = await session(wireTo(t, `${url}/mcp`, sample))
    service.postgres('pg_dump', '--format=custom', `--file=${dump}`, 'exploration')
    service.postgres('createdb', 'restored')
    service.postgres('pg_restore', '--exit-on-error', '--dbname=restored', dump)
    service.postgres('psql', '-qd', 'restored', '-c', "insert into schema_migrations (version, name) values (9999, 'of a later version')")
    const events = (changed: Record<string, string> = {}): number =>
      service.runWith(changed, 'audit', '--action', 'tools/call', '--ndjson').split('\n').length
    const before = events()
    await service.stop('server-3')
    await service.start('server-3', { DATABASE_URL: service.database('restored') })
    const client = wireTo(t, `${service.urlOf('server-3')}/mcp`, sample)
    t.match(await (await client.post({ id: 1, method: 'tools/call', params: { name: 'find_explorations', arguments: { query: 'instalments' } } }, headers)).message(),
      { result: { isError: undefined, structuredContent: { explorations: [{ id: EXPLORATION.id }] } } })
    t.equal(events({ DATABASE_URL: service.database('restored') }), before + 1)
    t.throws(() => service.postgres('psql', '-qd', service.database('restored'), '-c', 'delete from audit_events'), /permission denied/)
  })

  await t.test('without any replica: 503, in JSON, and when to try again', async (t) => {
    await Promise.all(REPLICAS.map((replica) => service.stop(replica, 'SIGKILL')))
    const { statusCode, headers, body } = await post(call, { headers: modern })
    t.match({ statusCode, headers }, {
      statusCode: 503, headers: { 'retry-after': '1', 'content-type': 'application/json' }
    })
    t.match(await body.json(), { error: { code: 503 } })
    await service.start('server-2')
    await untilOk(`${url}/readyz`)
    t.equal((await post(call, { headers: modern })).statusCode, 200)
  })
})

const untilOk = async (address: string): Promise<void> => {
  while (!(await fetch(address)).ok) await new Promise((resolve) => setTimeout(resolve, 50))
}
