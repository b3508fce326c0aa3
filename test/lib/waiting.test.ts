// Waiting with a bound: for work, a lock of another process.
import t from 'tap'
import { withDeadline, withTimeout } from '../../src/lib/async/deadline.js'
import { poll } from '../../src/lib/async/poll.js'

const never = (): Promise<never> => new Promise(() => {})
// The timers of the limits do not keep a process alive.
const alive = setInterval(() => {}, 1000)
t.teardown(() => clearInterval(alive))

t.test('work that takes too long is left, and other work passes', async (t) => {
  const late = (): Error => new Error('late')
  t.equal(await withTimeout(Promise.resolve('done'), 1000, late), 'done')
  await t.rejects(withTimeout(Promise.reject(new Error('its own')), 1000, late), { message: 'its own' })
  await t.rejects(withTimeout(never(), 1, late), { message: 'late' })
  const fault: unknown = await withDeadline(never, 1, 'The list is not there.').catch((error: unknown) => error)
  t.match(fault, { kind: 'unavailable', message: 'The list is not there. Try again in a moment.' })
})

t.test('something is looked for until it is there, at least once', async (t) => {
  let looks = 0
  const third = async (): Promise<string | undefined> => ++looks === 3 ? 'there' : undefined
  t.equal(await poll(third, { timeoutMs: 60_000, pauseMs: 0 }), 'there')
  t.equal(looks, 3)
  t.equal(await poll(async () => { looks++ }, { timeoutMs: 0, pauseMs: 0 }), undefined)
  t.equal(looks, 4)
})
