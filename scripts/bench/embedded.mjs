// npm run bench:embedded -- [FILE] [--compare BUILD] [--floor MS]: how quickly the embedded server starts, what it holds, and what it answers, with the sample
// data and then with FILE (an import file, plain or gzip). BUILD is the folder of another checkout, built: both are measured in turns in one run.
// --floor MS measures a bare server beside them, whose searches only compute for MS milliseconds (embedded-floor-server.mjs).
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { clientOf, readRecords, requestsOf } from './embedded-load.mjs'
import { runCommand, startFloor, startServer } from './embedded-server.mjs'

const { values, positionals: [file] } = parseArgs({
  allowPositionals: true,
  options: {
    compare: { type: 'string', multiple: true, default: [] },
    floor: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    starts: { type: 'string', default: '3' },
    // How long an idle server is left alone before its memory is read, in seconds.
    idle: { type: 'string', default: '10' }
  }
})
const KEYS = 8
const CONNECTIONS = 32
const [GETS, FINDS_ALONE, FINDS] = [4000, 60, 400]
const PING_EVERY_MS = 5
const MINUTE_MS = 60_000
const root = fileURLToPath(new URL('../..', import.meta.url))
const builds = [...values.compare.map((path) => ({ name: path, build: resolve(path) })), { name: 'this build', build: resolve(root) }]
const [rounds, starts, idleMs] = [Number(values.rounds), Number(values.starts), Number(values.idle) * 1000]

const AIMS = {
  'ready at the first start, ms': '≤ 2000',
  'ready later, ms': '≤ 1000',
  'memory: peak of the first start, MB': '≤ 300',
  'memory: idle, MB': '≤ 220',
  'memory: idle with the file, MB': '≤ 350',
  'memory: after the load, MB': '',
  'memory: a minute later, MB': '',
  'get_exploration, 32 connections, a second': '≥ 4000',
  'get_exploration: µs of the main thread': '',
  'get_exploration: µs of the database\'s thread': '',
  'find_explorations alone, p50, ms': '≤ 5',
  'find_explorations, 32 connections, a second': '≥ 400',
  'ping alone, p99, ms': '',
  'ping beside 32 finds, p99, ms': '≤ 10',
  'CPU of a find with the pings beside it: all threads of the server, ms': '',
  'CPU of a find with the pings beside it: the client, ms': ''
}

const WARM_UP = 'warm-up'
const FLOOR = 'floor'
/** With 1,380 questions most texts of a file have been read once, which a search does for a text that it shows the first time. */
const WARM_UP_ROUNDS = 3
const { explorations, workspaces } = await readRecords(file ?? join(root, 'dist/planning/sample.ndjson'))
const figures = new Map([{ name: WARM_UP }, { name: FLOOR }, ...builds].map(({ name }) => [name, {}]))
const note = (name, row, figure) => (figures.get(name)[row] ??= []).push(figure)
/** Those of all rounds together: in one round there are too few for a 99th percentile. */
const pingsBeside = new Map([...figures.keys()].map((name) => [name, []]))
const at = (sorted, share) => sorted[Math.floor(share * (sorted.length - 1))]
const median = (numbers) => at([...numbers].sort((one, other) => one - other), 0.5)

const withFolder = async (work) => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-embedded-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A start on an empty folder, and one on what it left. */
const measureStarts = ({ name, build }) => withFolder(async (folder) => {
  const first = await startServer(build, folder)
  note(name, 'ready at the first start, ms', first.readyMs)
  await sleep(500)
  note(name, 'memory: peak of the first start, MB', (await first.memory()).peak)
  await first.stop()
  const later = await startServer(build, folder)
  note(name, 'ready later, ms', later.readyMs)
  await sleep(idleMs)
  note(name, 'memory: idle, MB', (await later.memory()).now)
  await later.stop()
})

/** A person who sees all of the file, as lines of an import file. */
const readerOf = (id) => [
  { type: 'user', id, email: 'reader@bench.example', name: 'Reader', kind: 'person' },
  ...workspaces.map((workspace) => ({ type: 'membership', user_id: id, workspace_id: workspace, role: 'viewer' }))
].map((record) => JSON.stringify(record)).join('\n')

/** The floor, with the same workspaces and such a person. */
const openFloor = async (folder) => {
  const user = randomUUID()
  const made = workspaces.map((id, n) => JSON.stringify({
    type: 'workspace', id, slug: `workspace-${n}`, name: `Workspace ${n}`, created_at: '2026-01-01T00:00:00.000Z'
  }))
  return await startFloor(folder, { records: [...made, readerOf(user)].join('\n'), user, computeMs: Number(values.floor) })
}

/** A server with the file in it, which has been restarted since the import, and keys of a person who sees all of the file. */
const openServer = async ({ name, build }, folder) => {
  const command = (...args) => runCommand(build, [...args, '--data', folder])
  const first = await startServer(build, folder)
  if (file !== undefined) await command('import', file)
  const reader = randomUUID()
  const access = join(folder, 'access.ndjson')
  await writeFile(access, readerOf(reader))
  await command('import', access)
  const keys = []
  for (let n = 0; n < KEYS; n++) keys.push((await command('keys', 'create', '--user', reader, '--name', `bench ${n}`, '--scope', 'read')).key)
  await first.stop()
  const server = await startServer(build, folder)
  await sleep(idleMs)
  note(name, 'memory: idle with the file, MB', (await server.memory()).now)
  return { server, keys }
}

const measureLoad = async ({ name, server, requests }, round) => {
  const many = clientOf(server.port, CONNECTIONS)
  const one = clientOf(server.port, 1)
  // No question comes twice, as long as there are enough of them.
  const from = round * (FINDS + FINDS_ALONE)
  try {
    const before = await server.threads()
    note(name, 'get_exploration, 32 connections, a second', (await many.load(requests.get, GETS)).rate)
    const { main, times } = await server.threads()
    const used = [...times].map(([thread, time]) => [thread, (time - (before.times.get(thread) ?? 0)) / GETS])
    note(name, 'get_exploration: µs of the main thread', used.find(([thread]) => thread === main)?.[1] ?? NaN)
    note(name, 'get_exploration: µs of the database\'s thread',
      Math.max(...used.filter(([thread]) => thread !== main).map(([, time]) => time)))
    note(name, 'find_explorations alone, p50, ms', at((await one.load(requests.find, FINDS_ALONE, from)).times, 0.5))
    note(name, 'ping alone, p99, ms', at((await one.load(requests.ping, 300)).times, 0.99))
    const beforeFinds = await server.threads()
    const clientBefore = process.cpuUsage()
    const state = { running: true }
    const finds = many.load(requests.find, FINDS, from + FINDS_ALONE).finally(() => { state.running = false })
    const pings = []
    while (state.running) {
      pings.push(await one.send(requests.ping[pings.length % KEYS]))
      await sleep(PING_EVERY_MS)
    }
    note(name, 'find_explorations, 32 connections, a second', (await finds).rate)
    const client = process.cpuUsage(clientBefore)
    pingsBeside.get(name).push(...pings)
    const afterFinds = await server.threads()
    const ofServer = [...afterFinds.times].reduce((sum, [thread, time]) => sum + time - (beforeFinds.times.get(thread) ?? 0), 0)
    note(name, 'CPU of a find with the pings beside it: all threads of the server, ms', ofServer / FINDS / 1000)
    note(name, 'CPU of a find with the pings beside it: the client, ms', (client.user + client.system) / FINDS / 1000)
  } finally {
    await Promise.all([many.close(), one.close()])
  }
}

for (let n = 0; n < starts; n++) for (const build of builds) await measureStarts(build)

const folders = []
const contenders = []
try {
  for (const build of builds) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-embedded-'))
    folders.push(folder)
    const { server, keys } = await openServer(build, folder)
    contenders.push({ ...build, server, requests: requestsOf(explorations, keys) })
  }
  if (values.floor !== undefined) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-embedded-'))
    folders.push(folder)
    const { server, keys } = await openFloor(folder)
    contenders.push({ name: FLOOR, server, requests: requestsOf(explorations, keys) })
  }
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    for (const contender of contenders) await measureLoad({ ...contender, name: WARM_UP }, round)
  }
  for (let round = WARM_UP_ROUNDS; round < WARM_UP_ROUNDS + rounds; round++) for (const contender of contenders) await measureLoad(contender, round)
  for (const { name, server } of contenders) note(name, 'memory: after the load, MB', (await server.memory()).now)
  await sleep(MINUTE_MS)
  for (const { name, server } of contenders) note(name, 'memory: a minute later, MB', (await server.memory()).now)
} finally {
  for (const { server } of contenders) await server.stop()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
}

for (const [name, pings] of pingsBeside) {
  if (pings.length > 0) note(name, 'ping beside 32 finds, p99, ms', at(pings.sort((one, other) => one - other), 0.99))
}
const shown = [...builds.map(({ name }) => name), ...(values.floor === undefined ? [] : [FLOOR])]
console.log(`Median of ${starts} starts and ${rounds} rounds in turns, ${availableParallelism()} cores, Node ${process.versions.node}, ` +
  `${file === undefined ? 'with the sample data' : 'loaded with the file'}; memory is resident, ${idleMs / 1000} s after the start\n`)
console.table(Object.fromEntries(Object.entries(AIMS).map(([row, aim]) => [row, {
  ...Object.fromEntries(shown.map((name) => [name, Number(median(figures.get(name)[row] ?? [NaN]).toFixed(row.includes('ms') && !row.startsWith('ready') ? 1 : 0))])),
  aim
}])))
