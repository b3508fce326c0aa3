// npm run bench -- engine: processor time of the engine for a request, of that of bare Fastify routes that stringify objects of the same size. A
// machine's speed changes from one second to the next, so contenders answer in turns of short rounds, a ratio compares two of the same round, and the
// median counts. V8 optimizes two processes of one program differently, up to 10 %, so each contender has several processes, one after the other.
import { buildsOf, forkServer } from './builds.mjs'
import { createFigures, optionsOf } from './figures.mjs'
import { call, clientOf, legacy, modern, openSession } from './requests.mjs'

const { against, starts, rounds } = optionsOf({ starts: 3, rounds: 24 })
const WARM_UP_ROUNDS = 16
const REQUESTS = 1000
// They fill the caches of the processor, which another process had before.
const UNMEASURED = 200
const CONNECTIONS = 16
const TOKEN = 'bench-token'

const builds = buildsOf(against)
const figures = createFigures(builds)

const start = async (env) => {
  const server = await forkServer('engine-server.mjs', { BENCH_TOKEN: TOKEN, ...env })
  const client = clientOf(server, CONNECTIONS)
  return {
    ...server,
    /** Microseconds of the server's processor time for a request. */
    async round (request) {
      await client.load([request], UNMEASURED)
      return (await client.load([request], REQUESTS)).cpu * 1000
    }
  }
}

// A client that never sleeps: to wake one that waits takes the server's write several microseconds, which a slower server pays more often.
const stayAwake = () => { setImmediate(stayAwake) }
stayAwake()

const EXPLORATION = { exploration_id: '3f1c9a52-8f0e-4a31-9a51-000000000001' }

const requestsOf = (session) => ({
  call: call(TOKEN, 'get_exploration', EXPLORATION),
  legacyCall: legacy(TOKEN, session, 'tools/call', { name: 'get_exploration', arguments: EXPLORATION }),
  list: modern(TOKEN, 'tools/list'),
  ping: legacy(TOKEN, session, 'ping')
})

/** What an engine answers to each request. */
const bodiesOf = async ({ port, requests }) => Object.fromEntries(await Promise.all(
  Object.entries(requests).map(async ([name, request]) => {
    const reply = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', ...request })
    return [`/${name}`, await reply.json()]
  })))

for (let n = 0; n < starts; n++) {
  const engines = []
  for (const build of builds) {
    const server = await start({ BENCH_FOLDER: build.folder })
    engines.push({ ...build, ...server, requests: requestsOf(await openSession(server.port, TOKEN)) })
  }
  const bare = await start({ BENCH_BODIES: JSON.stringify(await bodiesOf(engines.at(-1))) })
  const bareRequests = Object.entries(engines.at(-1).requests).map(([name, request]) => ({ ...request, path: `/${name}` }))
  const contenders = [
    ...engines.flatMap(({ name, round, requests }) =>
      Object.entries(requests).map(([kind, request]) => ({ name, kind, round: () => round(request) }))),
    ...bareRequests.map((request) => ({ name: 'bare', kind: request.path.slice(1), round: () => bare.round(request) }))
  ]
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round++) {
    const taken = {}
    // In another order each time.
    for (const { name, kind, round } of contenders.toSorted(() => Math.random() - 0.5)) taken[`${name} ${kind}`] = await round()
    if (round < WARM_UP_ROUNDS) continue
    for (const build of builds) {
      const of = (kind) => taken[`${build.name} ${kind}`]
      figures.note('tools/call of 2.4 kB, modern, of a bare route', build, taken['bare call'] / of('call'), '≥ 0.75')
      figures.note('tools/call of 2.4 kB, legacy, of a bare route', build, taken['bare legacyCall'] / of('legacyCall'), '≥ 0.75')
      figures.note('tools/list, of a bare route', build, taken['bare list'] / of('list'), '≥ 1.1')
      figures.note('ping, of a bare route', build, taken['bare ping'] / of('ping'), '≥ 0.80')
      figures.note('tools/call of 2.4 kB, modern, µs', build, of('call'))
      figures.note('ping, µs', build, of('ping'))
    }
  }
  for (const { stop } of [...engines, bare]) await stop()
}
figures.end(`Processor time of the server: medians of ${rounds} rounds of ${REQUESTS} requests in turns, ${starts} processes of each`)
