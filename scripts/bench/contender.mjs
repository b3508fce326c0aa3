// A server of the bench, in a process of its own: says its port, then its CPU time whenever it is asked.
import { executionAsyncResource } from 'node:async_hooks'
import fastify from 'fastify'
import { engineServer } from './engine-server.mjs'
import { sketchServer } from './sketch-server.mjs'

const bare = async () => {
  const app = fastify()
  for (const [path, body] of Object.entries(JSON.parse(process.env.BENCH_BODIES ?? '{}'))) app.post(path, async () => body)
  return app
}

// The engine keeps Node's ticks quick (src/lib/next-tick.ts). So that the other servers are not slower for a reason of Node's own, they do the same.
const ticks = []
process.nextTick(() => { ticks.push(executionAsyncResource()) })

const [kind, replyMode] = process.argv.slice(2)
const servers = { bare, sketch: sketchServer, engine: () => engineServer({ replyMode }) }
const app = await servers[kind]()
await app.listen({ host: '127.0.0.1', port: 0 })
process.on('message', (question) => {
  if (question === 'memory') global.gc?.()
  const { user, system } = process.cpuUsage()
  process.send({ cpu: user + system, memory: process.memoryUsage().heapUsed })
})
// A bench that fails leaves no server behind.
process.on('disconnect', () => { process.exit() })
process.send({ port: app.server.address().port })
