// Says how many of Node's objects for ticks are held after each of some works: of none, of an engine, of a second engine.
import { createHook } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fastify from 'fastify'
import { createMcpPlugin } from 'exploration-mcp/engine'

const ticksHeldAfter = async (work: () => Promise<void>): Promise<number> => {
  const ticks: Array<WeakRef<object>> = []
  const hook = createHook({
    init: (_id, type, _trigger, resource) => { if (type === 'TickObject') ticks.push(new WeakRef(resource)) }
  })
  hook.enable()
  await work()
  await nextTurn()
  hook.disable()
  await nextTurn()
  global.gc?.()
  return ticks.filter((tick) => tick.deref()).length
}

const createEngine = async (): Promise<void> => {
  const app = fastify()
  await app.register(createMcpPlugin({ server: { name: 'ticks', version: '1' }, tools: [] }))
  await app.close()
}

process.send?.([
  await ticksHeldAfter(async () => {}),
  await ticksHeldAfter(createEngine),
  await ticksHeldAfter(createEngine)
])
