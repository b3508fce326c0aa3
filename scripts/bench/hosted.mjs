// npm run bench:hosted: get_exploration through the hosted product (credential, access, both limits in Valkey, audit committed) beside a bare Fastify
// route that does one indexed PostgreSQL read of the same record, in interleaved rounds of one run; three replicas behind nginx; memory.
import { availableParallelism } from 'node:os'
import { interleave, legacyCalls, modernCalls, prepare, start } from './hosted-load.mjs'
import { printMemory } from './hosted-memory.mjs'
import { printReplicas } from './hosted-replicas.mjs'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9)
const REQUESTS = 3000
const AIM = { cpu: 0.8, p99: 1.7 }

const access = await prepare()
const bare = await start('bare')
const product = await start('product')
const modern = modernCalls(access)

const contenders = [
  { name: 'bare route', server: bare, requests: modern },
  { name: 'get_exploration, modern', server: product, requests: modern },
  { name: 'get_exploration, legacy', server: product, requests: await legacyCalls(access, product) }
]

await interleave(contenders, ROUNDS, REQUESTS)

console.log(`Median of ${ROUNDS} interleaved rounds of ${REQUESTS} requests over 32 connections, ${availableParallelism()} cores. CPU is that of the server.\n`)
console.log(`${''.padEnd(26)}${'CPU µs'.padStart(8)}${'of bare'.padStart(9)}${'aim'.padStart(7)}${'met'.padStart(5)}` +
  `${'p99 ms'.padStart(10)}${'times'.padStart(7)}${'aim'.padStart(7)}${'met'.padStart(5)}${'a second'.padStart(11)}`)
const yes = (isMet) => (isMet ? 'yes' : 'no').padStart(5)
for (const contender of contenders) {
  const { name, cpu, p99, rate } = contender
  const [bareRoute] = contenders
  const ofBare = bareRoute.cpu / cpu
  const times = p99 / bareRoute.p99
  const [cpuAim, p99Aim] = contender === bareRoute
    ? [''.padStart(12), ''.padStart(12)]
    : [`${AIM.cpu.toFixed(2).padStart(7)}${yes(ofBare >= AIM.cpu)}`, `${AIM.p99.toFixed(2).padStart(7)}${yes(times <= AIM.p99)}`]
  console.log(`${name.padEnd(26)}${cpu.toFixed(0).padStart(8)}${ofBare.toFixed(2).padStart(9)}${cpuAim}` +
    `${p99.toFixed(1).padStart(10)}${times.toFixed(2).padStart(7)}${p99Aim}${rate.toFixed(0).padStart(11)}`)
}
for (const { stop } of [bare, product]) await stop()

await printReplicas(access)
await printMemory(access)
process.exit()
