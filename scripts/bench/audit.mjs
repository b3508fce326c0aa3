// npm run bench -- audit [--months N] [--rows N]: the audit log of a year beside an empty one, on PostgreSQL: how long a page of the web application takes with
// each filter, and what it costs to record an event.
import { credentialOf, explorationOf, fillMonths, monthStart, userOf, workspaceOf } from './audit-log.mjs'
import { buildsOf, createKeys, runCommand, startServer } from './builds.mjs'
import { createDatabase, databaseCpu, withClient } from './databases.mjs'
import { idOf, importFileOf, readerOf, workspacesOf } from './explorations.mjs'
import { createFigures, inTurns, optionsOf, quantile, WARM_UP_ROUNDS } from './figures.mjs'
import { call, clientOf } from './requests.mjs'
import { seeded } from '../scale/random.mjs'

const { against, months, rows, rounds } = optionsOf({ months: 12, rows: 500_000, rounds: 9 })
const PAGES_OF_A_ROUND = 8
const EVENTS = 2000
const KEYS = 8
const READER = idOf('d', 0)
const WORKSPACE = idOf('f', 0)

const random = seeded(1)
const someTime = () => new Date(Date.now() - random() * (Date.now() - monthStart(-months).getTime()))
const FILTERS = {
  'no filter': () => ({}),
  user: () => ({ user: userOf(random()) }),
  credential: () => ({ credential: credentialOf(random()) }),
  workspace: () => ({ workspace: workspaceOf(random()) }),
  'action, of most': () => ({ action: 'tools/call' }),
  'action, one record': () => ({ action: `resources/read service://exploration/${explorationOf(random())}` }),
  'outcome, 1 of 10,000': () => ({ outcome: 'unavailable' }),
  'a day': () => {
    const until = someTime()
    return { since: new Date(until.getTime() - 86_400_000).toISOString(), until: until.toISOString() }
  },
  'user and outcome': () => ({ user: userOf(random()), outcome: 'error' })
}
const builds = buildsOf(against)
const figures = createFigures(builds)

/** Reads a page as a person who is signed in; gives its milliseconds. */
const pagesOf = async ({ port }, build, env) => {
  const { url } = await runCommand(build, ['sign-in-link', '--user', READER], { ...env, PORT: `${port}` })
  const base = `http://localhost:${port}`
  const headers = { origin: base, 'content-type': 'application/json', 'x-exploration-mcp': 'web' }
  const token = /[\w-]{20,}$/.exec(url)?.[0]
  const signedIn = await fetch(`${base}/web/v1/sign-in/link`, { method: 'POST', headers, body: JSON.stringify({ token }) })
  if (!signedIn.ok) throw new Error(`signing in answered ${signedIn.status}: ${await signedIn.text()}`)
  const cookie = signedIn.headers.getSetCookie().map((header) => header.split(';')[0]).join('; ')
  return async (filter) => {
    const begun = performance.now()
    const reply = await fetch(`${base}/web/v1/audit-events?${new URLSearchParams({ limit: 100, ...filter })}`, { headers: { cookie } })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`answered ${reply.status}: ${text}`)
    return performance.now() - begun
  }
}

const { TEST_DATABASE_URL: address } = process.env
const databaseCpuMs = await databaseCpu(address)
const access = importFileOf([...workspacesOf([WORKSPACE]), ...readerOf(READER, [WORKSPACE])])

/** A new database whose log `fill` fills, with a person who may read it; gives pings by their keys. */
const prepare = async (build, name, fill) => {
  const url = await createDatabase(address, name)
  const env = { DATABASE_URL: url }
  await runCommand(build, ['migrate'], env)
  // While nothing has been recorded yet.
  await withClient(url, fill)
  await runCommand(build, ['import', access], env)
  await runCommand(build, ['users', 'set-admin', '--user', READER], env)
  return (await createKeys(build, env, Array(KEYS).fill(READER))).map((key) => call(key, 'ping', {}))
}

const pings = {
  audit_year: await prepare(builds[0], 'audit_year', (client) => fillMonths(client, { months, rows })),
  audit_empty: await prepare(builds[0], 'audit_empty', () => {})
}
const open = async (build, template) => {
  const env = { DATABASE_URL: await createDatabase(address, `${template}_${build.name}`, template) }
  const server = await startServer(build, env)
  return { client: clientOf(server, 32), page: await pagesOf(server, build, env), pings: pings[template] }
}
const contenders = []
for (const build of builds) contenders.push({ ...build, year: await open(build, 'audit_year'), empty: await open(build, 'audit_empty') })

/** Events a second, and the processor time of the database for 1,000. Each call is answered when its event is committed. */
const recordEvents = async ({ client, pings }) => {
  const before = databaseCpuMs()
  const { rate } = await client.load(pings, EVENTS)
  return { rate, cpu: (databaseCpuMs() - before) / EVENTS * 1000 }
}

await inTurns(WARM_UP_ROUNDS + rounds, contenders, async (contender, round) => {
  const note = figures.after(round, contender)
  const { year, empty } = contender
  for (const [name, filter] of Object.entries(FILTERS)) {
    const times = []
    for (let n = 0; n < PAGES_OF_A_ROUND; n++) times.push(await year.page(filter()))
    note(`a page of 100, ${name}: p95, ms`, quantile(times, 0.95), '≤ 200')
  }
  const [full, none] = [await recordEvents(year), await recordEvents(empty)]
  note('events recorded a second, of an empty log', full.rate / none.rate, '≥ 0.9')
  note('CPU of the database for 1,000 events, ms', full.cpu)
  note('the same, of an empty log', full.cpu / none.cpu)
})
figures.end(`${months + 1} months of ${rows} events, medians of ${rounds} rounds in turns`)
