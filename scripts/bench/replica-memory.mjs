// npm run bench:replica -- [--requests N] [--image]: the resident memory of a hosted replica as a user starts it, idle and after N requests; with
// the image's environment, or with the NODE_OPTIONS of this command.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freePort } from '../services/process.mjs'
import { clientOf, readRecords, requestsOf } from './embedded-load.mjs'
import { memoryOf, UNLIMITED } from './embedded-server.mjs'

const { values } = parseArgs({ options: { requests: { type: 'string', default: '200000' }, image: { type: 'boolean', default: false } } })
const CONNECTIONS = 32
const [SHORT_MS, MINUTE_MS] = [10_000, 60_000]
const STEPS = 4
const root = fileURLToPath(new URL('../..', import.meta.url))
const requests = Number(values.requests)
/** What the Dockerfile sets of Node's memory and of the C library's. */
const imageEnvironment = () => Object.fromEntries([...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^ENV (NODE_OPTIONS|MALLOC_\w+)=(.+)$/gm)]
  .map(([, name, value]) => [name, value]))

const port = await freePort()
const child = spawn(process.execPath, [join(root, 'dist/cli.js'), 'serve', '--port', `${port}`, '--json'], {
  env: {
    PATH: process.env.PATH,
    ...process.env.NODE_OPTIONS !== undefined && { NODE_OPTIONS: process.env.NODE_OPTIONS },
    ...values.image && imageEnvironment(),
    LOG_LEVEL: 'warn',
    DATABASE_URL: process.env.TEST_DATABASE_URL,
    VALKEY_URL: process.env.TEST_VALKEY_URL,
    PUBLIC_URL: 'http://127.0.0.1',
    SESSION_SECRET: 'a secret of the bench, long enough to be one',
    CONCURRENT_CALLS: '1000',
    ...UNLIMITED
  },
  stdio: ['ignore', 'pipe', 'inherit']
})
process.once('exit', () => child.kill())
const [line] = await once(createInterface({ input: child.stdout }), 'line')
const { key } = JSON.parse(line)
const show = async (what) => {
  const { now, peak, anonymous } = await memoryOf(child.pid)
  console.log(`${what.padEnd(28)}${now} MB resident, ${anonymous} MB of it no file; ${peak} MB at most`)
}
await sleep(SHORT_MS)
await show('idle for 10 s')
// V8 gives back what an idle thread does not need after about 40 s.
await sleep(MINUTE_MS - SHORT_MS)
await show('idle for a minute')
const { explorations } = await readRecords(join(root, 'dist/planning/sample.ndjson'))
const { get, find } = requestsOf(explorations, [key])
const client = clientOf(port, CONNECTIONS)
// One search in ten.
const mixed = get.flatMap((request, n) => n % 10 === 9 ? [request, find[n % find.length]] : [request])
for (let step = 1; step <= STEPS; step++) {
  await client.load(mixed, requests / STEPS)
  await show(`after ${requests * step / STEPS} requests`)
}
await sleep(MINUTE_MS)
await show('a minute later')
process.exit()
