/** Replicas of the built program as processes, on services that may break. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openBackend } from '../../src/server/open-backend.js'
import { readConfig } from '../../src/config/config.js'
import { openPostgres } from '../../src/db/postgres/postgres.js'
import { freePort } from '../../scripts/services/process.mjs'
import { tcpProxy } from '../helpers/tcp-proxy.js'
import { services } from './services.js'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const CLOCK = new URL('clock.mjs', import.meta.url).href
const SAMPLE = new URL('../../src/planning/sample.ndjson', import.meta.url)
// The credential of the load expires within the time that clocks are made to jump by.
const KEY_LIFE_MS = 1_800_000

export interface Setting {
  env?: Record<string, string>
  /** The clock that JavaScript sees may be set. */
  clock?: boolean
  /** A network namespace, the address that it has, and that of this machine in it for each service. */
  network?: { name: string, host: string, database: string, valkey: string }
}

export type Cluster = Awaited<ReturnType<typeof cluster>>

export const cluster = async () => {
  const { postgres, standby, valkey, close: stopServices } = await services()
  const databases = [postgres, standby].map(({ url }) => new URL(url).host).join()
  const databaseUrl = postgres.url.replace(new URL(postgres.url).host, databases)
  const backend = await openBackend(readConfig({ DATABASE_URL: databaseUrl }, { databaseConnections: '2' }), undefined)
  await backend.importRecords(createReadStream(SAMPLE), () => {})
  const user = (await backend.directory.listUsers()).sort((one, other) => other.memberships - one.memberships)[0]!.id
  const { key } = await backend.credentials.createKey({ user, name: 'faults', scope: 'admin', expiresIn: KEY_LIFE_MS })
  const observer = await openPostgres(databaseUrl, { connections: 2 })
  const planned = await observer.query<{ id: string }>(
    "select exploration_id as id from execution_plans where compilation_state = 'compiled' order by 1 limit 1")
  await backend.close()

  const ends: Array<() => unknown> = []
  const ports = await Promise.all([1, 2, 3].map(() => freePort()))
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`)
  const running: ChildProcess[] = []

  const end = async (n: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    const child = running[n]
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  const start = async (n: number, { env, clock, network }: Setting = {}): Promise<void> => {
    const program = [
      ...clock ? ['--import', CLOCK] : [],
      CLI,
      'serve',
      '--port',
      `${ports[n]}`,
      '--host',
      network?.host ?? '127.0.0.1',
      '--no-sample'
    ]
    const command = [...network ? ['ip', 'netns', 'exec', network.name] : [], process.execPath, ...program]
    const [ofDatabase, ofValkey] = network
      ? await Promise.all([[postgres.url, network.database], [valkey.url, network.valkey]].map(async ([url, host]) =>
        (await tcpProxy({ teardown: (close) => { ends.push(close) } }, url!, host)).url))
      : [databaseUrl, valkey.url]
    const child = spawn(command[0]!, command.slice(1), {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: ofDatabase,
        VALKEY_URL: ofValkey,
        SESSION_SECRET: 'one secret of all replicas, long enough to be one',
        LOG_LEVEL: process.env['FAULT_LOG'] ?? 'fatal',
        DRAIN_SECONDS: '1',
        STREAMS_PER_CREDENTIAL: '100000',
        CONCURRENT_CALLS: '1000',
        RATE_LIMIT_ADMIN_PER_MINUTE: '1000000',
        RATE_LIMIT_ADMIN_PER_DAY: '1000000',
        ...env
      },
      stdio: ['ignore', 'pipe', 'inherit', ...clock ? ['ipc' as const] : []]
    })
    running[n] = child
    addresses[n] = `http://${network?.host ?? '127.0.0.1'}:${ports[n]}`
    await Promise.race([once(child.stdout!, 'data'), once(child, 'exit').then(() => { throw new Error('a replica does not start') })])
    child.stdout!.resume()
  }

  const restart = async (n: number, setting?: Setting): Promise<void> => {
    await end(n, 'SIGTERM')
    await start(n, setting)
  }

  const closeAll = async (): Promise<void> => {
    for (const n of running.keys()) await end(n, 'SIGKILL')
    for (const close of ends) close()
    await observer.close()
    await stopServices()
  }

  try {
    await Promise.all([0, 1, 2].map((n) => start(n)))
  } catch (error) {
    await closeAll()
    throw error
  }

  return {
    postgres,
    standby,
    valkey,
    /** Statements of someone who looks on. */
    query: observer.query,
    databaseUrl,
    key,
    /** What has a plan, and is asked for. */
    exploration: planned[0]!.id,
    addresses,
    start,
    end,
    restart,
    restartAll: async (setting?: Setting) => { for (const n of [0, 1, 2]) await restart(n, setting) },
    /** Sets the clock of a replica that was started with one. */
    jump: (n: number, ms: number) => { running[n]!.send(ms) },
    /** What a replica holds of the machine's memory, in bytes. */
    memoryOf: (n: number) => 1024 * Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${running[n]!.pid}/status`, 'utf8'))?.[1]),
    close: closeAll
  }
}
