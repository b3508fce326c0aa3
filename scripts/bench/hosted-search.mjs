// npm run bench:hosted-search -- --from FILE: find_explorations through the hosted product (credential, limits in Valkey, committed audit row,
// ranking, snippets) beside a bare Fastify route with the nearest-ten statement alone, and beside a floor: the product with that statement as its
// whole search. 32 at a time, in interleaved rounds of one run on PostgreSQL and Valkey; for callers who see one of 50 workspaces and for callers
// who see all. With the longest turn of each server's event loop.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { openPostgres } from '../../.test-build/src/db/postgres.js'
import { cpuTime } from '../test/cpu-time.mjs'
import { load, median, start } from './hosted-load.mjs'
import { fillDatabase, searchRequests } from './hosted-search-data.mjs'
import { parentOf, processesOf } from './processes.mjs'

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    explorations: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '300' },
    // A database of this name is filled once, and used again by later runs.
    database: { type: 'string', default: `bench_${process.pid}` }
  }
})
if (values.from === undefined) throw new Error('--from FILE: an import file, plain or gzip')
const CALLERS = 32
// A connection plans a statement six times before it keeps a plan.
const WARM_UPS = 3
const [rounds, requests] = [Number(values.rounds), Number(values.requests)]

const begun = performance.now()
const DATABASE_URL = await fillDatabase(process.env.TEST_DATABASE_URL, values.database, { from: values.from, count: Number(values.explorations) })
console.error(`${values.explorations} explorations are there after ${((performance.now() - begun) / 1000).toFixed(0)} s`)
const env = { DATABASE_URL, VALKEY_URL: process.env.TEST_VALKEY_URL, PUBLIC_URL: 'http://localhost:8080' }
const sent = await searchRequests(env, {
  callers: CALLERS, questions: (rounds + WARM_UPS) * requests, from: values.from, runId: randomBytes(4).toString('hex')
})

/** Milliseconds of processors of the database: all of its processes, and those of them that have ended. */
const databaseTime = await (async () => {
  const db = await openPostgres(DATABASE_URL, { connections: 1 })
  const [{ pid }] = await db.query('select pg_backend_pid() as pid')
  const server = parentOf(pid)
  await db.close()
  return () => processesOf(server).reduce((sum, each) => {
    const { own, children } = cpuTime(each) ?? { own: 0, children: 0 }
    return sum + own + children
  }, 0)
})()

const [bare, floor, product] = [await start('nearest', env), await start('floor', env), await start('product', env)]
const contenders = ['one', 'all'].flatMap((sees) => [
  { sees, name: 'bare nearest ten', server: bare, list: sent[sees].bare, figures: [] },
  { sees, name: 'floor', server: floor, list: sent[sees].product, figures: [] },
  { sees, name: 'find_explorations', server: product, list: sent[sees].product, figures: [] }
])

const measure = async ({ server, list }, round) => {
  const some = list.slice(round * requests, (round + 1) * requests)
  const before = { cpu: (await server.ask('turns')).cpu, database: databaseTime() }
  const started = performance.now()
  const times = await load(server, some, requests)
  const seconds = (performance.now() - started) / 1000
  const { cpu, turns } = await server.ask('turns')
  return {
    rate: requests / seconds,
    p50: times[Math.floor(times.length * 0.5)],
    p99: times[Math.floor(times.length * 0.99)],
    server: (cpu - before.cpu) / 1000 / requests,
    database: (databaseTime() - before.database) / requests,
    ...turns
  }
}

for (let round = 0; round < rounds + WARM_UPS; round++) {
  for (const contender of contenders) {
    const figures = await measure(contender, round)
    if (round >= WARM_UPS) contender.figures.push(figures)
  }
}

const middle = ({ figures }, figure) => median(figures.map((round) => round[figure]))
console.log(`${values.explorations} explorations in 50 workspaces, 32 at a time; medians of ${rounds} interleaved rounds of ${requests} different questions; ` +
  `${availableParallelism()} cores for servers, database and client, load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}`)
console.table(contenders.map((contender, place) => {
  const beside = contenders[place - place % 3]
  const ratio = (figure) => (middle(contender, figure) / middle(beside, figure)).toFixed(2)
  return {
    'caller sees': contender.sees === 'one' ? 'one workspace' : 'all',
    what: contender.name,
    'a second': middle(contender, 'rate').toFixed(0),
    'p50, ms': middle(contender, 'p50').toFixed(1),
    'p99, ms': middle(contender, 'p99').toFixed(1),
    'times the bare: time of all, p50, p99': contender === beside ? '' : [(1 / ratio('rate')).toFixed(2), ratio('p50'), ratio('p99')].join(', '),
    'server, ms of CPU': middle(contender, 'server').toFixed(2),
    'database, ms of CPU': middle(contender, 'database').toFixed(2),
    'times the bare: CPU': contender === beside
      ? ''
      : ((middle(contender, 'server') + middle(contender, 'database')) /
      (middle(beside, 'server') + middle(beside, 'database'))).toFixed(2),
    'turn of the event loop, ms: p99, longest, by CPU': ['turnP99', 'turnMax', 'turnCpuMax'].map((figure) => middle(contender, figure).toFixed(1)).join(', ')
  }
}))
for (const { stop } of [bare, floor, product]) await stop()
process.exit()
