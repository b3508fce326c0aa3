// npm run bench -- hosted [--from FILE] [--explorations N]: get_exploration and find_explorations through the hosted product (credential, limits in Valkey,
// committed audit row) beside bare routes with one indexed read of the same record, and with the statement for the nearest ten vectors alone. N
// explorations in 50 workspaces are made of those of FILE; each build has a copy of the database.
import { buildsOf, forkServer, SAMPLE, startServer } from './builds.mjs'
import { readFileOf, queriesOf } from './explorations.mjs'
import { createFigures, optionsOf, quantile, WARM_UP_ROUNDS } from './figures.mjs'
import { createDatabase, databaseCpu } from './databases.mjs'
import { fillDatabase, samplesIn, WORKSPACES } from './hosted-data.mjs'
import { call, clientOf, legacy, openSession } from './requests.mjs'

const { against, from, explorations: total, rounds } = optionsOf({ from: SAMPLE, explorations: 100_000, rounds: 7 })
const [GETS, FINDS, RECORDS] = [3000, 300, 300]
const CONNECTIONS = 32

const { TEST_DATABASE_URL: address, TEST_VALKEY_URL: VALKEY_URL } = process.env
const databaseCpuMs = await databaseCpu(address)
const builds = buildsOf(against)
const figures = createFigures(builds)

const { explorations } = readFileOf(from)
const filled = await createDatabase(address, 'bench_filled')
const { ofOne, ofAll } = await fillDatabase(builds[0], filled, { explorations, count: total })
const samples = await samplesIn(filled, RECORDS)

/** A contender, with its client. */
const open = (build, server) => ({ ...build, server, client: clientOf(server, CONNECTIONS) })

const copyFor = (name) => createDatabase(address, `bench_${name}`, 'bench_filled')
const bare = open({ name: 'bare' }, await forkServer('hosted-routes.mjs', { DATABASE_URL: await copyFor('bare') }))
const products = []
for (const build of builds) {
  products.push(open(build, await startServer(build, { DATABASE_URL: await copyFor(build.name), VALKEY_URL })))
}

const gets = samples.map(({ id }, n) => call(ofAll[n % 8], 'get_exploration', { exploration_id: id }))
for (const product of products) {
  const sessions = await Promise.all(ofAll.slice(0, 8).map((key) => openSession(product.server.port, key)))
  product.legacyGets = samples.map(({ id }, n) =>
    legacy(ofAll[n % 8], sessions[n % 8], 'tools/call', { name: 'get_exploration', arguments: { exploration_id: id } }))
}
const bareFinds = (workspacesFor) => samples.map(({ vector }, n) => ({
  headers: { 'content-type': 'application/json' }, body: JSON.stringify({ vector, visible: workspacesFor(n) })
}))
/** No query comes twice. */
const findsIn = (keys, round) => queriesOf(explorations, (round + 1) * FINDS).slice(-FINDS)
  .map((query, n) => call(keys[n % keys.length], 'find_explorations', { query, limit: 10 }))

/** Milliseconds of processor of the server, and of the database, for a request, and what the client saw. */
const measure = async ({ client }, requests, count) => {
  const before = databaseCpuMs()
  const { times, rate, cpu: own } = await client.load(requests, count)
  const database = (databaseCpuMs() - before) / count
  return { own, database, all: own + database, rate, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

for (let round = 0; round < WARM_UP_ROUNDS + rounds; round++) {
  const bareGet = await measure(bare, gets, GETS)
  const bareFind = {
    'one workspace': await measure(bare, bareFinds((n) => [WORKSPACES[n % ofOne.length]]), FINDS),
    'all 50': await measure(bare, bareFinds(() => WORKSPACES), FINDS)
  }
  for (const product of round % 2 === 0 ? products : products.toReversed()) {
    const note = figures.after(round, product)
    const modern = await measure(product, gets, GETS)
    note('get_exploration, modern: CPU of the server, of the bare route', bareGet.own / modern.own, '≥ 0.80')
    note('get_exploration, modern: p99, times the bare route', modern.p99 / bareGet.p99, '≤ 1.7')
    note('get_exploration, modern, a second', modern.rate)
    note('get_exploration, modern: ms of CPU, server', modern.own)
    note('get_exploration, modern: ms of CPU, database', modern.database)
    const legacyGet = await measure(product, product.legacyGets, GETS)
    note('get_exploration, legacy: CPU of the server, of the bare route', bareGet.own / legacyGet.own, '≥ 0.80')
    for (const [sees, keys, aim] of [['one workspace', ofOne, '≤ 1.5'], ['all 50', ofAll, '≤ 4']]) {
      const find = await measure(product, findsIn(keys, round), FINDS)
      note(`find_explorations, sees ${sees}: CPU, times the bare nearest ten`, find.all / bareFind[sees].all, aim)
      note(`find_explorations, sees ${sees}: ms of CPU, server and database`, find.all)
      note(`find_explorations, sees ${sees}: p50, ms`, find.p50)
      note(`find_explorations, sees ${sees}: p99, ms`, find.p99)
    }
  }
}
figures.end(`${total} explorations in ${WORKSPACES.length} workspaces, medians of ${rounds} rounds in turns, ${CONNECTIONS} connections`)
