// Guards on the memory of an embedded server, far above what it takes: a new large part is noticed. Figures: npm run bench:embedded.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import t from 'tap'
import { PROGRAM } from '../helpers/program.js'

const MAX_PEAK_MB = 330
// WordNet's words, and what the thesaurus makes of them.
const MAX_VECTORS_MB = 40

t.test('a first start with the sample data', { skip: process.platform !== 'linux' && 'needs /proc' }, async (t) => {
  const child = spawn(process.execPath, [...PROGRAM, 'serve', '--data', t.testdir(), '--port', '0', '--json'], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn' }, stdio: ['ignore', 'pipe', 'inherit']
  })
  const ended = once(child, 'exit')
  t.teardown(() => child.kill('SIGKILL'))
  await once(createInterface({ input: child.stdout }), 'line')
  const peak = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
  t.ok(peak > 50 && peak < MAX_PEAK_MB, `${Math.round(peak)} MB`)
  child.kill()
  t.same(await ended, [0, null])
})

t.test('the word vectors', async (t) => {
  const { openWordVectors } = await import('../../src/search/embedders/word-vectors/open-word-vectors.js')
  const before = process.memoryUsage().arrayBuffers
  const embedder = await openWordVectors()
  globalThis.gc?.()
  const megabytes = (process.memoryUsage().arrayBuffers - before) / 2 ** 20
  t.equal(embedder.id, 'builtin')
  // Before a collection the sums of the thesaurus are counted too.
  t.ok(megabytes < MAX_VECTORS_MB + (globalThis.gc ? 0 : 25), `${megabytes.toFixed(1)} MB`)
})
