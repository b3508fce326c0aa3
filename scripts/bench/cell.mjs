// npm run bench:cell: what one call costs one cell, by processor time: of the replica, of PostgreSQL and of Valkey. scripts/scale/model.mjs has the
// figures of get_exploration. Counts all processes of these names on the machine, so nothing else may use them meanwhile.
import { readdirSync, readFileSync } from 'node:fs'
import { cpuTime } from '../test/cpu-time.mjs'
import { load, median, modernCalls, prepare, start } from './hosted-load.mjs'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const REQUESTS = 2000
const QUESTION = 'how do we keep tests that fail now and then from blocking a merge?'

/** @param {string} name of a program */
const pidsOf = (name) => readdirSync('/proc').filter((pid) => {
  try {
    return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name
  } catch {
    return false
  }
}).map(Number)

/** Milliseconds of processors of all processes of a program, and of those of their children that have ended. */
const cpuOf = (name) => pidsOf(name).reduce((sum, pid) => {
  const { own, children } = cpuTime(pid) ?? { own: 0, children: 0 }
  return sum + own + children
}, 0)

const access = await prepare()
const product = await start('product')
const calls = modernCalls(access)
const change = (name, args) => calls.map((call) => {
  const body = JSON.parse(call.body)
  body.params = { _meta: body.params._meta, name, arguments: args }
  return { ...call, headers: { ...call.headers, 'mcp-name': name }, body: JSON.stringify(body) }
})
const kinds = [
  { name: 'ping', requests: change('ping', {}) },
  { name: 'get_exploration', requests: calls },
  { name: 'find_explorations', requests: change('find_explorations', { query: QUESTION }) }
]

for (const kind of kinds) {
  kind.rounds = []
  await load(product, kind.requests, REQUESTS / 2)
}
for (let round = 0; round < ROUNDS; round++) {
  for (const { requests, rounds } of kinds) {
    const read = async () => ({ replica: (await product.ask('cpu')).cpu / 1000, postgres: cpuOf('postgres'), valkey: cpuOf('valkey-server') })
    const before = await read()
    await load(product, requests, REQUESTS)
    const after = await read()
    rounds.push(Object.fromEntries(Object.keys(before).map((part) => [part, (after[part] - before[part]) / REQUESTS])))
  }
}

console.log(`Milliseconds of processors for one call, median of ${ROUNDS} interleaved rounds of ${REQUESTS} calls over 32 connections\n`)
console.log(`${''.padEnd(20)}${'replica'.padStart(10)}${'PostgreSQL'.padStart(12)}${'Valkey'.padStart(9)}`)
for (const { name, rounds } of kinds) {
  const [replica, postgres, valkey] = ['replica', 'postgres', 'valkey'].map((part) => median(rounds.map((round) => round[part])).toFixed(2))
  console.log(`${name.padEnd(20)}${replica.padStart(10)}${postgres.padStart(12)}${valkey.padStart(9)}`)
}
await product.stop()
process.exit()
