// Streams and time: comments while there is nothing to say, patience with a slow client, none with one that is gone.
import { mock } from 'node:test'
import t from 'tap'
import type { ServerEvent } from '../../src/eras/era.js'
import { eventStream } from '../../src/http/event-stream.js'

const turn = () => new Promise<void>((resolve) => { setImmediate(resolve) })

t.beforeEach(() => { mock.timers.enable({ apis: ['setInterval'] }) })
t.afterEach(() => {
  // One more round, so that the shared timer notices that nobody is left.
  mock.timers.tick(15_000)
  mock.timers.reset()
})

const endless = () => {
  let asked = 0
  let returned = false
  const events = {
    next: async () => ({ value: `${++asked} ${'x'.repeat(1000)}` as ServerEvent }),
    return: async () => { returned = true }
  }
  return { events, asked: () => asked, returned: () => returned }
}

t.test('a silent stream is kept alive, each 15 seconds', async (t) => {
  const stream = eventStream({ next: () => new Promise(() => {}), return: async () => {} }, t.error)
  const heard: string[] = []
  stream.setEncoding('utf8').on('data', (text: string) => heard.push(text))
  mock.timers.tick(14_999)
  await turn()
  t.strictSame(heard, [])
  mock.timers.tick(1)
  await turn()
  t.strictSame(heard, [': keep-alive\n\n'])
  mock.timers.tick(30_000)
  await turn()
  t.equal(heard.length, 3)
  stream.destroy()
})

t.test('no more is made than the client takes, and one that takes nothing is let go', async (t) => {
  const { events, asked, returned } = endless()
  const stream = eventStream(events, t.error)
  stream.read(0)
  for (let i = 0; i < 100; i++) await turn()
  const made = asked()
  t.ok(made > 0 && made < 100, `${made} events`)
  mock.timers.tick(45_000)
  await turn()
  t.equal(asked(), made, 'and no comments pile up')
  t.equal(stream.destroyed, false)
  mock.timers.tick(30_000)
  await turn()
  t.equal(stream.destroyed, true)
  t.equal(returned(), true, 'the work is told')
})

t.test('events as the wire has them', async (t) => {
  const all: ServerEvent[] = [{ id: 'a:0', data: '' }, '{"a":1}', { id: 'a:1', data: '{}' }, { retry: 5 }]
  const stream = eventStream({
    next: async () => {
      const value = all.shift()
      return value === undefined ? { done: true, value: undefined } : { value }
    },
    return: async () => {}
  }, t.error)
  t.equal(Buffer.concat(await stream.toArray()).toString(),
    'id: a:0\ndata: \n\nevent: message\ndata: {"a":1}\n\nid: a:1\nevent: message\ndata: {}\n\nretry: 5\n\n')
})

t.test('what goes wrong is reported, and ends the stream', async (t) => {
  const wrong: unknown[] = []
  const stream = eventStream({ next: async () => { throw new Error('broken') }, return: async () => {} }, (error) => wrong.push(error))
  t.strictSame(await stream.toArray(), [])
  t.match(wrong, [{ message: 'broken' }])
})
