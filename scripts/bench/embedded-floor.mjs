// npm run bench:embedded-floor -- [--rounds N]: what bounds get_exploration on the embedded server. Beside the product, on databases of their own with
// the sample data, stands a bare Fastify route that does nothing but what no call can do without: the statement that verifies the credential, and the
// committed audit row. It answers with bytes that it made at its start. 32 connections, rounds in turns.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import fastify from 'fastify'
import { buildApp } from '../../.test-build/src/server/build-app.js'
import { backendOn } from '../../.test-build/src/server/backend.js'
import { readConfig } from '../../.test-build/src/config.js'
import { migrate } from '../../.test-build/src/db/migrate.js'
import { openPgliteThread } from '../../.test-build/src/db/pglite-thread.js'
import { clientOf, readRecords, requestsOf } from './embedded-load.mjs'

const KEYS = 8
const CONNECTIONS = 32
const [WARM_UP, CALLS] = [12_000, 6000]
const SAMPLE = fileURLToPath(new URL('../../src/planning/sample.ndjson', import.meta.url))
const MANY = '1000000000'

/** Verifies the credential and records the call: the least that a call may do. */
const floor = ({ credentials, audit }, response) => {
  const app = fastify()
  app.post('/mcp', async ({ headers, body }, reply) => {
    const begun = performance.now()
    const { principal: { credential, user, workspaces } } = await credentials.verify(headers.authorization.slice('Bearer '.length))
    await audit.record({
      user_id: user.id,
      credential_id: credential.id,
      credential_kind: credential.kind,
      action: 'tools/call get_exploration',
      workspace_id: workspaces[0],
      exploration_id: body.params.arguments.exploration_id,
      outcome: 'ok',
      duration_ms: performance.now() - begun,
      request_id: 'floor',
      client: 'bench/1',
      remote_address: '127.0.0.1'
    })
    return reply.header('content-type', 'application/json; charset=utf-8').send(response)
  })
  return app
}

/** A server in this process, which says its port and keys, and then its processor time in microseconds whenever it is asked. */
const serve = async (kind, folder) => {
  const config = readConfig({}, { dataDir: folder, logLevel: 'warn', concurrentCalls: '100000', rateLimitReadPerMinute: MANY, rateLimitReadPerDay: MANY })
  const db = await openPgliteThread(join(folder, 'database'))
  await migrate(db)
  const backend = await backendOn(db, config, { database: join(folder, 'database'), spool: folder })
  await backend.importRecords(createReadStream(SAMPLE), () => {})
  const [user] = (await backend.directory.listUsers()).sort((one, other) => other.memberships - one.memberships)
  const keys = []
  for (let n = 0; n < KEYS; n++) keys.push((await backend.credentials.createKey({ user: user.id, name: `bench ${n}`, scope: 'read' })).key)
  const product = await buildApp(config, { ...backend, sessionSecret: 'a secret of the bench, long enough to be one' })
  await product.listen({ host: '127.0.0.1', port: 0 })
  let app = product
  if (kind === 'floor') {
    const { explorations } = await readRecords(SAMPLE)
    const { headers, body } = requestsOf(explorations, keys).get[0]
    const reply = await fetch(`http://127.0.0.1:${product.server.address().port}/mcp`, { method: 'POST', headers, body })
    app = floor(backend, Buffer.from(await reply.arrayBuffer()))
    await app.listen({ host: '127.0.0.1', port: 0 })
  }
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send({ cpu: user + system })
  })
  process.send({ port: app.server.address().port, keys })
}

const start = async (kind) => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-floor-'))
  const child = fork(fileURLToPath(import.meta.url), [kind, folder], { execArgv: ['--no-warnings'] })
  const [{ port, keys }] = await once(child, 'message')
  return {
    kind,
    client: clientOf(port, CONNECTIONS),
    requests: requestsOf((await readRecords(SAMPLE)).explorations, keys).get,
    rounds: [],
    async cpu () {
      child.send('cpu')
      return (await once(child, 'message'))[0].cpu
    },
    async stop () {
      child.kill('SIGKILL')
      await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    }
  }
}

const measure = async ({ client, requests, cpu }, count) => {
  const before = await cpu()
  const { times, rate } = await client.load(requests, count)
  return { cpu: (await cpu() - before) / count, rate, p50: times[Math.floor(count * 0.5)], p99: times[Math.floor(count * 0.99)] }
}

const bench = async (rounds) => {
  const contenders = [await start('floor'), await start('product')]
  try {
    for (const contender of contenders) await measure(contender, WARM_UP)
    for (let n = 0; n < rounds; n++) for (const contender of contenders) contender.rounds.push(await measure(contender, CALLS))
  } finally {
    for (const { client, stop } of contenders) {
      await client.close()
      await stop()
    }
  }
  const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]
  console.log(`Median of ${rounds} rounds of ${CALLS} calls over ${CONNECTIONS} connections, ${availableParallelism()} cores, ` +
    `load ${loadavg()[0].toFixed(1)} at the end\n`)
  console.table(Object.fromEntries(contenders.map(({ kind, rounds }) => [kind, {
    'a second': Math.round(median(rounds.map(({ rate }) => rate))),
    'most a second': Math.round(Math.max(...rounds.map(({ rate }) => rate))),
    'µs CPU of the server': Math.round(median(rounds.map(({ cpu }) => cpu))),
    'p50, ms': Number(median(rounds.map(({ p50 }) => p50)).toFixed(1)),
    'p99, ms': Number(median(rounds.map(({ p99 }) => p99)).toFixed(1))
  }])))
}

if (process.send) {
  await serve(process.argv[2], process.argv[3])
} else {
  await bench(Number(parseArgs({ options: { rounds: { type: 'string', default: '7' } } }).values.rounds))
}
