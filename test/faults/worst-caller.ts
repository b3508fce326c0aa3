/**
 * One credential does its worst to a server with the limits that it has by default, on 6,000 explorations: how long the pings of
 * others take meanwhile, and `/livez`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { DataFolder } from '../../src/server/data-folder.js'
import { openBackend } from '../../src/server/open-backend.js'
import { readConfig } from '../../src/config/config.js'
import { freePort } from '../../scripts/services/process.mjs'
import { createRandom } from '../helpers/random.js'
import { toolCall } from '../helpers/build.js'
import { createDatabase } from '../helpers/database.js'
import { everywhere, of, sample } from '../helpers/planning.js'
import { bytesOf, explorationLine } from '../helpers/planning-data.js'
import { CLI } from './cluster.js'
import { endServer, startServer } from './prepare.js'

const ATTACKER = fileURLToPath(new URL('worst-client.js', import.meta.url))
const EXPLORATIONS = 6000
const SECONDS = 30
const VICTIMS = 4
const PING_EVERY_MS = 125
const LOOK_EVERY_MS = 25
/** What no other caller may wait longer for, in 99 of 100 pings, and `/livez` never. */
export const MAX_PING_P99_MS = 150
export const MAX_LIVEZ_MS = 100

/** In an embedded database, or in a new one on a PostgreSQL server. */
export const worstCaller = async (server?: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'worst-'))
  try {
    const databaseUrl = server === undefined ? undefined : (await createDatabase(server)).url
    return await measure(folder, databaseUrl, await imported(folder, databaseUrl))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Imported = Awaited<ReturnType<typeof imported>>

/** A server on it, with the worst caller and the others. */
const measure = async (folder: string, databaseUrl: string | undefined, data: Imported) => {
  const port = await freePort()
  const where = databaseUrl === undefined ? ['--data', folder] : []
  const child = await startServer([process.execPath, CLI, 'serve', '--port', `${port}`, '--no-sample', ...where], {
    HOME: folder, ...databaseUrl !== undefined && { DATABASE_URL: databaseUrl }
  })
  try {
    return await callAll(`http://127.0.0.1:${port}`, data)
  } finally {
    await endServer(child, 'SIGKILL')
  }
}

/** Imports the data; gives the attacker's key first, then those of the others. */
const imported = async (dataDir: string, databaseUrl: string | undefined) => {
  const folder = databaseUrl === undefined ? await DataFolder.take(dataDir, process.pid) : undefined
  const backend = await openBackend(readConfig(databaseUrl === undefined ? { DATA_DIR: dataDir } : { DATABASE_URL: databaseUrl }), folder)
  // About 1.5 KB of the sample's words each, the same each time.
  const words = [...new Set(JSON.stringify(of(sample, 'exploration')).match(/[a-z]{4,12}/g))]
  const random = createRandom(20_261_122)
  const text = (length: number): string => Array.from({ length }, () => words[random.integer(words.length)]).join(' ')
  const many = Array.from({ length: EXPLORATIONS }, (_, n) => explorationLine(everywhere[n % everywhere.length]!, `${text(3)} ${n}`, text(200)))
  await backend.importRecords(bytesOf([...sample, ...many]))
  const users = (await backend.directory.listUsers()).sort((one, other) => other.memberships - one.memberships)
  const keys: string[] = []
  for (let n = 0; n <= VICTIMS; n++) {
    const user = users[n === 0 ? 0 : 1 + n % (users.length - 1)]!.id
    keys.push((await backend.credentials.createKey({ user, name: `worst ${n}`, scope: 'admin' })).key)
  }
  await backend.close()
  await folder?.release()
  return { keys, ids: many.map(({ id }) => id), workspaces: everywhere, words }
}

const callAll = async (url: string, { keys: [worst, ...victims], ids, workspaces, words }: Imported) => {
  const agent = new Agent({ connections: 64, headersTimeout: 60_000 })
  const over = new AbortController()
  const pings: number[] = []
  const looks: number[] = []
  /** What was answered with anything but 200, or by none. */
  let refused = 0
  const timed = async (into: number[], work: () => Promise<number>): Promise<void> => {
    const from = performance.now()
    const status = await work().catch(() => 0)
    into.push(performance.now() - from)
    if (status !== 200) refused++
  }
  const statusOf = async (path: string, options: object): Promise<number> => {
    const { statusCode, body } = await request(url + path, { dispatcher: agent, ...options })
    await body.dump()
    return statusCode
  }
  const ping = (key: string): Promise<number> => statusOf('/mcp', toolCall(key, 'ping'))
  const look = (): Promise<number> => statusOf('/livez', {})
  // Sent when it is time, whether or not the one before was answered: who waits is not counted less often.
  const regularly = async (everyMs: number, into: number[], work: () => Promise<number>): Promise<void> => {
    const all: Array<Promise<void>> = []
    while (!over.signal.aborted) {
      all.push(timed(into, work))
      await sleep(everyMs)
    }
    await Promise.all(all)
  }
  for (const key of victims) await ping(key)
  const callers = [regularly(LOOK_EVERY_MS, looks, look), ...victims.map((key) => regularly(PING_EVERY_MS, pings, () => ping(key)))]
  const task = { url, key: worst, workspaces, explorations: ids.slice(0, 2000), words, seconds: SECONDS }
  const attack = spawn(process.execPath, [ATTACKER, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  attack.stdout.on('data', (text) => { said += String(text) })
  await once(attack, 'close')
  over.abort()
  await Promise.all(callers)
  await agent.destroy()
  const at = (list: number[], share: number): number =>
    Math.round(list.sort((one, other) => one - other)[Math.min(list.length - 1, Math.floor(share * list.length))] ?? Infinity)
  return { pings: pings.length, refused, p50: at(pings, 0.5), p99: at(pings, 0.99), livezMax: at(looks, 1), attacker: said.trim() }
}
