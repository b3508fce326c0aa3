// What the built program does when the thread of its embedded database crashes. Needs dist.
// @no-services: the program, on the embedded database
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { toolCall } from '../helpers/build.js'
import { PROGRAM } from '../helpers/program.js'

const CRASH = new URL('crash-pglite-thread.mjs', import.meta.url).href

const serve = async (t: Test, data: string) => {
  const child = spawn(process.execPath, ['--import', CRASH, ...PROGRAM, 'serve', '--port', '0', '--data', data], {
    env: { PATH: process.env['PATH'], HOME: `${data}-home`, LOG_LEVEL: 'fatal', STOP_SECONDS: '1' }
  })
  t.teardown(() => child.kill('SIGKILL'))
  child.stdin.end()
  const ended = Promise.all([once(child, 'exit'), text(child.stderr)]).then(([[code, signal], err]) => ({ code, signal, err }))
  const started = once(child.stdout, 'data').then(([hello]) => String(hello))
  const hello = await Promise.race([started, ended.then(({ err }) => { throw new Error(err) })])
  child.stdout.resume()
  return { child, ended, hello, url: /http:\S+\/mcp/.exec(hello)?.[0] ?? '' }
}

t.test('it says so and ends with an error; no request waits for ever, and the next start has the data', async (t) => {
  const data = join(t.testdir(), 'data')
  const first = await serve(t, data)
  const key = /svc_key_[A-Z0-9]+/.exec(first.hello)?.[0] ?? ''
  const ping = async (url: string): Promise<number | string> =>
    fetch(url, { ...toolCall(key, 'ping') }).then(({ status }) => status, () => 'closed')
  t.equal(await ping(first.url), 200)

  const before = Array.from({ length: 20 }, () => ping(first.url))
  first.child.kill('SIGUSR2')
  const after = Array.from({ length: 20 }, () => ping(first.url))
  const { code, signal, err } = await first.ended
  t.same({ code, signal }, { code: 1, signal: null })
  t.match(err, /"level":60,.*the embedded database ended/)
  t.match(err, /^The embedded database ended by itself \(unreachable executed\)\. Start the server again/m)
  const answers = new Set(await Promise.all([...before, ...after]))
  t.same([...answers].filter((answer) => ![200, 429, 500, 503, 'closed'].includes(answer)), [], [...answers].join())

  const second = await serve(t, data)
  t.equal(await ping(second.url), 200, 'the key of before')
  second.child.kill('SIGKILL')
  await second.ended
  const third = await serve(t, data)
  t.equal(await ping(third.url), 200, 'and after a kill that it cannot notice')
  third.child.kill('SIGTERM')
  t.match(await third.ended, { code: 0 })
})
