// The floor of `npm run bench:embedded -- FILE --floor MS`: a bare Fastify route on an embedded database, which does nothing but what no call can do
// without (the statement that verifies the credential, and the committed audit row), and for a search has a thread of low priority compute for MS
// milliseconds, as the thread of search does. It answers with bytes that it made at its start. In a process of its own.
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import fastify from 'fastify'
import { backendOn } from '../../.test-build/src/server/backend.js'
import { readConfig } from '../../.test-build/src/config.js'
import { migrate } from '../../.test-build/src/db/migrate.js'
import { openPgliteThread } from '../../.test-build/src/db/pglite-thread.js'
import { lowerThreadPriority } from '../../.test-build/src/search/search-thread/lower-priority.js'

const KEYS = 8
/** About as many bytes as ten hits with snippets. */
const REPLY = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'x'.repeat(12_000) }] } }))

/** The same work whoever has the core meanwhile. */
const compute = (steps) => {
  let sum = 0
  for (let step = 0; step < steps; step++) sum = (sum * 31 + step) | 0
  return sum
}

const stepsPerMs = () => {
  const STEPS = 1_000_000
  const times = Array.from({ length: 20 }, () => {
    const begun = performance.now()
    compute(STEPS)
    return performance.now() - begun
  })
  return STEPS / Math.min(...times)
}

const computeInThread = () => {
  lowerThreadPriority()
  const steps = workerData.computeMs * stepsPerMs()
  parentPort.on('message', (id) => {
    compute(steps)
    parentPort.postMessage(id)
  })
}

/** Serves until its parent ends it; says its port and keys. */
const serve = async ({ folder, records, user, computeMs }) => {
  const config = readConfig({}, { dataDir: folder, logLevel: 'warn' })
  const db = await openPgliteThread(join(folder, 'database'))
  await migrate(db)
  const { importRecords, credentials, audit } = await backendOn(db, config, { database: join(folder, 'database'), spool: folder })
  await importRecords(Readable.from([Buffer.from(records)]), () => {})
  const keys = []
  for (let n = 0; n < KEYS; n++) keys.push((await credentials.createKey({ user, name: `floor ${n}`, scope: 'read' })).key)

  const searching = new Map()
  const thread = new Worker(fileURLToPath(import.meta.url), { workerData: { computeMs } })
  thread.on('message', (id) => {
    searching.get(id)()
    searching.delete(id)
  })
  let searches = 0
  const search = () => new Promise((resolve) => {
    searching.set(++searches, resolve)
    thread.postMessage(searches)
  })

  const app = fastify()
  app.post('/mcp', async ({ headers, body: { params: { name } } }, reply) => {
    const begun = performance.now()
    const { principal: { credential, user } } = await credentials.verify(headers.authorization.slice('Bearer '.length))
    if (name === 'find_explorations') await search()
    await audit.record({
      user_id: user.id,
      credential_id: credential.id,
      credential_kind: credential.kind,
      action: `tools/call ${name}`,
      outcome: 'ok',
      duration_ms: performance.now() - begun,
      request_id: 'floor',
      client: 'bench/1',
      remote_address: '127.0.0.1'
    })
    return reply.header('content-type', 'application/json; charset=utf-8').send(name === 'ping' ? '{"result":{}}' : REPLY)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  process.send({ port: app.server.address().port, keys })
}

if (isMainThread) {
  const [given] = await once(process, 'message')
  await serve(given)
} else {
  computeInThread()
}
