// npm run bench -- embedded [--from FILE]: how quickly the embedded server starts, what it holds, and what it answers, with the explorations of FILE (an
// import file, plain or gzip; the sample data by default), and with 1,000 and 5,000 made of them.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildsOf, createKeys, runCommand, SAMPLE, startServer, temporaryFolder } from './builds.mjs'
import { idOf, importFileOf, queriesOf, readerOf, readFileOf, recombined, workspacesOf } from './explorations.mjs'
import { createFigures, inTurns, optionsOf, quantile, WARM_UP_ROUNDS } from './figures.mjs'
import { call, clientOf } from './requests.mjs'

const { against, from, rounds, starts } = optionsOf({ from: SAMPLE, rounds: 5, starts: 3 })
const [GETS, FINDS, FINDS_ALONE, FINDS_MADE] = [4000, 400, 60, 200]
const KEYS = 8
const IDLE_MS = 10_000
const PING_EVERY_MS = 5
const MADE = [1000, 5000]
const WORKSPACES = MADE.map((_, n) => idOf('a', n))

const builds = buildsOf(against)
const figures = createFigures(builds)
const { explorations, workspaces } = readFileOf(from)

/** A start on an empty folder, and one on what it left. */
const measureStarts = async (build) => {
  const env = { DATA_DIR: join(temporaryFolder(), 'data') }
  const first = await startServer(build, env)
  figures.note('ready at the first start, ms', build, first.readyMs, '≤ 2000')
  await sleep(500)
  figures.note('memory: peak of the first start, MB', build, first.memory().peak, '≤ 300')
  await first.stop()
  const later = await startServer(build, env)
  figures.note('ready later, ms', build, later.readyMs, '≤ 1200')
  await sleep(IDLE_MS)
  figures.note('memory: idle, MB', build, later.memory().now, '≤ 200')
  await later.stop()
}

/** A restarted server with these import files in it; for each person the requests of their keys. */
const openServer = async (build, files, people) => {
  const env = { DATA_DIR: join(temporaryFolder(), 'data') }
  const first = await startServer(build, env)
  for (const file of files) await runCommand(build, ['import', file], env)
  const keys = []
  for (const person of people) keys.push(await createKeys(build, env, Array(KEYS).fill(person)))
  await first.stop()
  const server = await startServer(build, env)
  await sleep(IDLE_MS)
  const [many, eight, one] = [32, 8, 1].map((connections) => clientOf(server, connections))
  return { ...build, server, keys, many, eight, one }
}

const findsOf = (keys, queries) =>
  queries.map((query, n) => call(keys[n % KEYS], 'find_explorations', { query, limit: 10 }))

const measureFile = async (contender, round) => {
  const { keys: [keys], many, one } = contender
  const note = figures.after(round, contender)
  const gets = await many.load(explorations.map(({ id }, n) => call(keys[n % KEYS], 'get_exploration', { exploration_id: id })), GETS)
  note('get_exploration, 32 connections, a second', gets.rate, '≥ 2500')
  note('get_exploration, ms of CPU', gets.cpu)
  // No query comes twice.
  const each = FINDS + FINDS_ALONE
  const requests = findsOf(keys, queriesOf(explorations, (round + 1) * each).slice(-each))
  note('find_explorations alone, p50, ms', quantile((await one.load(requests, FINDS_ALONE)).times, 0.5), '≤ 12')
  const state = { running: true }
  const finding = many.load(requests, FINDS, FINDS_ALONE).finally(() => { state.running = false })
  const pings = []
  while (state.running) {
    pings.push(await one.send(call(keys[pings.length % KEYS], 'ping', {})))
    await sleep(PING_EVERY_MS)
  }
  const finds = await finding
  note('find_explorations, 32 connections, a second', finds.rate, '≥ 120')
  note('find_explorations, ms of CPU', finds.cpu)
  note('ping beside 32 finds, p99, ms', quantile(pings, 0.99), '≤ 30')
}

const measureMade = async (contender, round) => {
  const queries = queriesOf(explorations, (round + 1) * FINDS_MADE).slice(-FINDS_MADE)
  for (const [n, count] of MADE.entries()) {
    const { times } = await contender.eight.load(findsOf(contender.keys[n], queries), FINDS_MADE)
    for (const share of [50, 99]) {
      const row = `find_explorations of ${count} in view, 8 at a time, p${share}, ms`
      figures.after(round, contender)(row, quantile(times, share / 100), 'grows less than the number does')
    }
  }
}

const readers = ['b', 'c'].map((kind) => idOf(kind, 0))

await inTurns(starts, builds, measureStarts)

const access = importFileOf(readerOf(readers[0], workspaces))
const contenders = []
for (const build of builds) {
  contenders.push(await openServer(build, from === SAMPLE ? [access] : [from, access], [readers[0]]))
  figures.note('memory: idle with the file, MB', build, contenders.at(-1).server.memory().now, '≤ 350')
}
await inTurns(WARM_UP_ROUNDS + rounds, contenders, measureFile)
for (const contender of contenders) figures.note('memory: after the load, MB', contender, contender.server.memory().now)
await sleep(60_000)
for (const contender of contenders) figures.note('memory: a minute later, MB', contender, contender.server.memory().now, '≤ 300')
for (const { server } of contenders.splice(0)) await server.stop()

const made = importFileOf([
  ...workspacesOf(WORKSPACES),
  ...readers.flatMap((reader, n) => readerOf(reader, [WORKSPACES[n]])),
  ...recombined(explorations, MADE[0] + MADE[1], (n) => WORKSPACES[n < MADE[0] ? 0 : 1])
])
for (const build of builds) contenders.push(await openServer(build, [made], readers))
await inTurns(WARM_UP_ROUNDS + rounds, contenders, measureMade)
figures.end(`Medians of ${starts} starts and ${rounds} rounds in turns; memory is resident, ${IDLE_MS / 1000} s after the start`)
