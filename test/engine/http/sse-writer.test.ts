// Streams and time: comments while there is nothing to say, patience with a slow client, none with one that is gone.
import { mock } from 'node:test'
import { PassThrough } from 'node:stream'
import t from 'tap'
import type { Events, ServerEvent } from '../../../src/engine/eras/era.js'
import type * as SseWriter from '../../../src/engine/http/sse-writer.js'

// Of its own: the timer, which all streams of a process share, is mocked.
const { writeEvents } = await import(new URL('../../../src/engine/http/sse-writer.js?own', import.meta.url).href) as typeof SseWriter

const turn = () => new Promise<void>((resolve) => { setImmediate(resolve) })

t.beforeEach(() => { mock.timers.enable({ apis: ['setInterval'] }) })
t.afterEach(() => {
  // One more round, so that the timer notices that no stream is left.
  mock.timers.tick(15_000)
  mock.timers.reset()
})

/** A reply without a socket. */
const sink = () => Object.assign(new PassThrough({ highWaterMark: 16_384 }), { flushHeaders () {} })

const silent: Events = { next: () => new Promise(() => {}), return: async () => {} }

t.test('a silent stream is kept alive, each 15 seconds', async (t) => {
  const client = sink()
  const heard: string[] = []
  client.setEncoding('utf8').on('data', (text: string) => heard.push(text))
  writeEvents(client, silent, t.error).catch(t.error)
  mock.timers.tick(14_999)
  await turn()
  t.strictSame(heard, [])
  mock.timers.tick(1)
  await turn()
  t.strictSame(heard, [': keep-alive\n\n'])
  mock.timers.tick(30_000)
  await turn()
  t.equal(heard.join('').match(/keep-alive/g)?.length, 3)
  client.destroy()
  await turn()
})

t.test('no more is made than the client takes, and one that takes nothing is let go', async (t) => {
  let asked = 0
  let returned = false
  const client = sink()
  writeEvents(client, {
    next: async () => ({ value: `${++asked} ${'x'.repeat(1000)}` }),
    return: async () => { returned = true }
  }, t.error).catch(t.error)
  for (let i = 0; i < 100; i++) await turn()
  const made = asked
  t.ok(made > 0 && made < 100, `${made} events`)
  mock.timers.tick(60_000)
  await turn()
  t.equal(asked, made, 'and no comments pile up')
  t.equal(client.destroyed, false)
  mock.timers.tick(30_000)
  await turn()
  t.equal(client.destroyed, true)
  t.equal(returned, true, 'the work is told')
})

t.test('what goes wrong is reported, and ends the stream', async (t) => {
  const wrong: unknown[] = []
  const client = sink()
  await writeEvents(client, { next: async () => { throw new Error('broken') }, return: async () => {} }, (error) => wrong.push(error))
  t.strictSame(await client.toArray(), [])
  t.match(wrong, [{ message: 'broken' }])
})

t.test('a stream that someone else ended, as one whose credential was revoked, is not written to', async (t) => {
  const client = sink()
  const errors: unknown[] = []
  client.on('error', (error) => errors.push(error))
  let more = (_step: IteratorResult<ServerEvent, void>): void => {}
  const events: Events = { next: () => new Promise((resolve) => { more = resolve }), return: async () => {} }
  const written = writeEvents(client, events, t.error)
  await turn()
  more({ value: 'before' })
  client.end()
  await turn()
  mock.timers.tick(15_000)
  more({ value: 'after' })
  await written
  await turn()
  t.strictSame(errors, [])
})
