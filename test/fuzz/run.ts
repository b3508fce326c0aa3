/**
 * `node scripts/test/run-compiled.mjs test/fuzz/run.ts [--seconds 60] [--seed N]`: hostile inputs for the parser of messages, cursors,
 * event ids, request states, redaction, and for a whole server with its wire log and observer. No input may make a 500, an error in the
 * log, a crash or growth of memory. Ends with exit code 1 and says which seed and input did; `--seed` repeats a run. Messages to begin
 * with are in test/fuzz/seeds.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Test } from 'tap'
import { createObserver } from '../../src/engine/observer/observer.js'
import { build, handshake, meta, MODERN, post } from '../helpers/build.js'
import { createRandom, mutate, type Random } from './random.js'
import { pureTargets, type Target } from './targets.js'

const MAX_GROWTH_BYTES = 100 * 1024 * 1024
/** Of the pure targets for each request to the server. */
const PURE_RUNS = 20

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } } })
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const random = createRandom(seed)
const ends: Array<() => unknown> = []
const t = { teardown: (end: () => unknown) => { ends.unshift(end) } } as unknown as Test
const folder = mkdtempSync(join(tmpdir(), 'fuzz-'))

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const heapBytes = (): number => {
  collect()
  return process.memoryUsage().heapUsed
}

const seen = createObserver({ onError: (error) => { throw error } })
const { app, key, db, log } = await build(t, {
  wireLog: join(folder, 'wire.ndjson'),
  logLevel: 'error',
  rateLimitReadPerMinute: '1000000000',
  rateLimitReadPerDay: '1000000000'
}, [seen.record])
const session = await handshake(app, key)
const [{ id } = { id: '' }] = await db.query<{ id: string }>('select id from explorations limit 1')

const messages = (JSON.parse(readFileSync(new URL('seeds/messages.json', import.meta.url), 'utf8')) as unknown[]).map((message) =>
  JSON.stringify(message).replaceAll('EXPLORATION', id).replaceAll('"META"', JSON.stringify(meta())))
const [first = '', ...others] = messages
const seeds = [first, ...others] as const

const isWrong = (text: string): boolean => text.includes('"code":-32603')
const serverTarget = (choose: Random): Target => ({
  seed: () => choose.choose(seeds),
  async run (input) {
    const headers = choose.choose<Record<string, string>>(
      [{ 'mcp-session-id': session }, { 'mcp-protocol-version': MODERN, 'mcp-method': methodIn(input) }, {}]
    )
    const { status, text } = await post(app, key, input, {
      ...headers, 'mcp-name': choose.choose([undefined, 'find_explorations', mutate('x', choose)])
    })
    if (status >= 500 || isWrong(text)) throw new Error(`status ${status}: ${text.slice(0, 500)}`)
    if (log.length > 0) throw new Error(`the log says: ${log.join('').slice(0, 2000)}`)
  }
})
const methodIn = (input: string): string => /"method":"([\w/]+)"/.exec(input)?.[1] ?? 'tools/list'

const runs: Record<string, number> = {}
const runOne = async (name: string, { seed: seedOf, run }: Target): Promise<void> => {
  const input = random.integer(50) === 0 ? seedOf(random) : mutate(seedOf(random), random)
  runs[name] = (runs[name] ?? 0) + 1
  try {
    await run(input)
  } catch (error) {
    throw new Error(`${name}, seed ${seed}, input in base64: ${Buffer.from(input).toString('base64')}`, { cause: error })
  }
}

const server = serverTarget(random)
const pure = Object.entries(pureTargets(seeds))
const end = performance.now() + Number(values.seconds) * 1000
let before: number | undefined
try {
  for (let round = 0; performance.now() < end; round++) {
    await runOne('server', server)
    for (let n = 0; n < PURE_RUNS; n++) {
      const [name, target] = pure[random.integer(pure.length)]!
      await runOne(name, target)
    }
    // Caches are full by then.
    if (round === 500) before = heapBytes()
  }
  const grown = before === undefined ? 0 : heapBytes() - before
  if (grown > MAX_GROWTH_BYTES) throw new Error(`seed ${seed}: memory grew by ${grown} bytes`)
  console.log(
    `seed ${seed}: ${Object.entries(runs).map(([name, count]) => `${name} ${count}`).join(', ')}; memory grew by ${Math.round(grown / 1024)} KiB; nothing found`
  )
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  for (const close of ends) await close()
  rmSync(folder, { recursive: true, force: true })
}
