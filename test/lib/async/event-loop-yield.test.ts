// Long computations share the turns of the event loop.
import t from 'tap'
import { createEventLoopYield, nextTurn } from '../../../src/lib/async/event-loop-yield.js'

t.test('as many pieces run in a turn as fit into its time, however many computations wait', async (t) => {
  let now = 0
  const yieldToEventLoop = createEventLoopYield(5, () => now)
  const pieces: string[] = []
  const compute = async (name: string): Promise<void> => {
    for (let piece = 1; piece <= 2; piece++) {
      await yieldToEventLoop()
      pieces.push(`${name}${piece}`)
      now += 5
    }
  }
  // Each begins in a callback of its own, as the requests of several callers do.
  const all = Promise.all(['a', 'b', 'c'].map(async (name) => {
    await nextTurn()
    await compute(name)
  }))
  for (let turn = 1; turn <= 6; turn++) {
    await nextTurn()
    t.ok(pieces.length <= turn + 1, `turn ${turn}: ${pieces.join()}`)
  }
  await all
  t.same([...pieces].sort(), ['a1', 'a2', 'b1', 'b2', 'c1', 'c2'])
})
