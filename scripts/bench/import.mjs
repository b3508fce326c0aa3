// npm run bench:import -- FILE: how long an import file takes with all that search makes of it, phase by phase, on PGlite in a folder; in
// time, and in CPU time of the main thread (Linux) and of all threads, which other work on the machine leaves alone.
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBackend } from '../../.test-build/src/server/open-backend.js'
import { readConfig } from '../../.test-build/src/config.js'

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('FILE: an import file, plain or gzip')

const now = async () => {
  const { user, system } = process.cpuUsage()
  const main = await readFile(`/proc/self/task/${process.pid}/schedstat`, 'utf8').catch(() => '')
  return { time: performance.now(), 'main thread': Number(main.split(' ')[0]) / 1e6, 'all threads': (user + system) / 1000 }
}
const since = (before, after) => Object.fromEntries(Object.keys(after).map((name) => [`${name}, ms`, Math.round(after[name] - before[name])]))

const folder = await mkdtemp(join(tmpdir(), 'bench-'))
const backend = await openBackend(readConfig({}, {}), { database: join(folder, 'database'), spool: folder })
try {
  // As in a server that is running.
  await backend.searchIndex.start(() => {})
  const begun = await now()
  const marks = []
  const { records: { exploration: { created, replaced } }, search_index: index } = await backend.importRecords(createReadStream(file), ({ phase }) => {
    if (marks.at(-1)?.phase !== phase) marks.push({ phase, at: now() })
  })
  const ended = await now()
  const starts = await Promise.all(marks.map(({ at }) => at))
  console.table(Object.fromEntries([
    ...marks.map(({ phase }, place) => [phase, since(place === 0 ? begun : starts[place], starts[place + 1] ?? ended)]),
    ['all', since(begun, ended)]
  ]))
  console.log(`${created + replaced} explorations, ${Math.round((created + replaced) * 1000 / (ended.time - begun.time))} a second; the index is ${index.state}`)
} finally {
  await backend.close()
  await rm(folder, { recursive: true, force: true })
}
