// A server that was asked to stop loses nothing; one that has too much to do says so.
// @no-services: connections and the event loop
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import t from 'tap'
import { closeIdleConnections } from '../../src/lib/http/graceful-close.js'
import { build, modern, toolCall } from '../helpers/build.js'
import { until } from '../helpers/until.js'
import { session, wire } from '../helpers/wire.js'

t.test('asked to stop: not ready, still serving, connections wind down', async (t) => {
  const stopping = new AbortController()
  const { app, key } = await build(t, {}, [], undefined, undefined, { stopping: stopping.signal })
  const ready = async () => (await app.inject({ url: '/readyz' })).statusCode
  t.equal(await ready(), 200)
  t.not((await modern(app, key, 'tools/list')).headers['connection'], 'close')
  stopping.abort()
  t.equal(await ready(), 503)
  t.match(await modern(app, key, 'tools/list'), { status: 200, headers: { connection: 'close' } })
})

t.test('closing under load: what was sent is answered, streams are told when to come back', async (t) => {
  const stopping = new AbortController()
  const { app, key } = await build(t, { rateLimitReadPerMinute: '100000', rateLimitReadPerDay: '100000' }, [], undefined, undefined, { stopping: stopping.signal })
  const client = await wire(t, app, key)
  const stream = await client.get(await session(client))
  await stream.next()
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const { headers, body } = toolCall(key, 'list_workspaces')
  const outcomes = new Map<string, number>()
  const count = (outcome: string) => { outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1) }
  const one = () => new Promise<string>((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', agent, headers }, (reply) => {
      reply.resume().once('end', () => resolve(`${reply.statusCode}`))
    })
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
    sent.end(body)
  })
  const noticed = new AbortController()
  const load = Array.from({ length: 4 }, async () => {
    while (!noticed.signal.aborted) count(await one())
  })
  await until(() => (outcomes.get('200') ?? 0) > 20)
  stopping.abort()
  const before = outcomes.get('200')!
  await until(() => outcomes.get('200')! > before + 20)
  noticed.abort()
  await Promise.all(load)

  let received = 0
  app.server.on('request', () => { received++ })
  const last = Array.from({ length: 8 }, async () => count(await one()))
  await until(() => received === 8)
  const closed = app.close()
  t.match((await stream.rest()).at(-1), { retry: 1000 })
  await Promise.all([...last, closed])
  t.same([...outcomes.keys()], ['200'], JSON.stringify([...outcomes]))
  t.equal(await one(), 'ECONNREFUSED')
})

t.test('connections that were made and not yet accepted when it closes are served', async (t) => {
  const app = fastify({ return503OnClosing: false, forceCloseConnections: 'idle' })
  closeIdleConnections(app)
  app.get('/', async () => 'served')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const replies = Array.from({ length: 50 }, () => new Promise<string>((resolve) => {
    const sent = request({ host: '127.0.0.1', port, agent: false }, (reply) => { reply.resume().once('end', () => resolve(`${reply.statusCode}`)) })
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
    sent.end()
  }))
  await app.close()
  t.same([...new Set(await Promise.all(replies))], ['200'])
})

t.test('an event loop that is late: few requests are served, of many some get 503 until it is in time again', async (t) => {
  const { app, key } = await build(t, { overloadDelayMs: '100' })
  // Holds the event loop, and no processor.
  const nobody = new Int32Array(new SharedArrayBuffer(4))
  const block = async (ms: number) => {
    Atomics.wait(nobody, 0, 0, ms)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  const list = () => modern<{ error: object }>(app, key, 'tools/list')
  const burst = async () => await Promise.all(Array.from({ length: 24 }, list))
  const isRefused = ({ status }: { status: number }) => status === 503

  // Beside busy programs the loop may be late before anything blocks it.
  const isInTime = async () => !(await burst()).some(isRefused)
  await until(isInTime)
  let replies: Awaited<ReturnType<typeof burst>> = []
  while (!replies.some(isRefused)) {
    await block(700)
    replies = await burst()
  }
  t.match(replies.find(isRefused), { status: 503, headers: { 'retry-after': '1' }, body: { error: { code: 503 } } })
  t.ok(replies.filter(({ status }) => status === 200).length >= 20, 'the first of them are served')
  t.equal((await app.inject({ url: '/livez' })).statusCode, 200)
  await block(1100)
  t.equal((await list()).status, 200, 'a lone request')
  await until(isInTime)
})
