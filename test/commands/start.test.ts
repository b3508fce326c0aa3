// A server's start, as a process of its own: V8 optimizes next to nothing until the server listens, and then as always.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import t from 'tap'
import { PROGRAM } from '../helpers/program.js'

const OPTIMIZED = /^\[completed optimizing /
/** Node itself loads modules before the command begins. Without the command there are some 80. */
const MAX_AT_START = 15
/** So many requests run some function often enough. */
const MAX_REQUESTS = 3000

t.test('functions are optimized once the server listens', async (t) => {
  const child = spawn(process.execPath, ['--trace-opt', ...PROGRAM, 'serve', '--data', t.testdir(), '--port', '0', '--json'], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn' }, stdio: ['ignore', 'pipe', 'inherit']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  let optimized: string[] = []
  const endpoint = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (OPTIMIZED.test(line)) optimized.push(line)
      // Other threads write what they trace into the same line.
      const [, url] = /\{"endpoint":"([^"]+)"/.exec(line) ?? []
      if (url !== undefined) {
        t.ok(optimized.length < MAX_AT_START, `${optimized.length} before it listens`)
        optimized = []
        resolve(url)
      }
    })
  })
  const livez = new URL('/livez', endpoint)
  for (let sent = 0; optimized.length === 0 && sent < MAX_REQUESTS; sent++) await (await fetch(livez)).arrayBuffer()
  t.ok(optimized.length > 0, 'some after it')
  child.kill()
  t.same(await ended, [0, null])
})
