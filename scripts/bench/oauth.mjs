// npm run bench:oauth: get_exploration with an access token at /oauth/mcp beside the same call with a key at /mcp, of one hosted server, in interleaved
// rounds of one run. Both verify the caller by one statement; test/oauth/cost.test.ts counts them.
import { interleave, median, modernCalls, oauthCalls, prepare, start } from './hosted-load.mjs'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9)
const REQUESTS = 2000
const AIM = 0.95

const access = await prepare()
const server = await start('product')
const key = { name: 'key at /mcp', server, requests: modernCalls(access) }
const token = { name: 'token at /oauth/mcp', server, requests: oauthCalls(access) }
await interleave([key, token], ROUNDS, REQUESTS)
await server.stop()

console.log(`Median of ${ROUNDS} interleaved rounds of ${REQUESTS} requests over 32 connections (aim: ${AIM} of the key by CPU of the server)\n`)
console.log(`${''.padEnd(22)}${'µs CPU'.padStart(8)}${'p99 ms'.padStart(9)}${'a second'.padStart(10)}`)
for (const { name, cpu, p99, rate } of [key, token]) {
  console.log(`${name.padEnd(22)}${cpu.toFixed(0).padStart(8)}${p99.toFixed(1).padStart(9)}${rate.toFixed(0).padStart(10)}`)
}
// Of each round by itself: what the machine does besides is then the same for both.
const ratios = key.rounds.map(({ cpu }, n) => cpu / token.rounds[n].cpu)
const ratio = median(ratios)
console.log(`\nThe token, of the key: ${ratio.toFixed(2)} (rounds ${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`)
process.exitCode = ratio >= AIM ? 0 : 1
process.exit()
