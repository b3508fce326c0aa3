// The engine holds one of Node's objects for ticks, which keeps ticks quick after a garbage collection.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

t.test('one tick of the first engine is held, none of a later one', async (t) => {
  const script = fileURLToPath(new URL(`next-tick-child${extname(import.meta.url)}`, import.meta.url))
  const child = fork(script, { execArgv: ['--expose-gc'] })
  t.teardown(() => child.kill('SIGKILL'))
  t.same((await once(child, 'message'))[0], [0, 1, 0])
})
