/** Replicas of the built program as processes, on services that may break. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openPostgres } from '../../src/db/postgres/postgres.js'
import { freePort } from '../../scripts/services/process.mjs'
import { tcpProxy } from '../helpers/tcp-proxy.js'
import { createKey, endServer, PLANNED, runCommand, SAMPLE, startServer, UNDER_LOAD } from './prepare.js'
import { services } from './services.js'

/** The program of today. */
export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const CLOCK = new URL('clock.mjs', import.meta.url).href

export interface Setting {
  /** Another build: its `dist/cli.js`. */
  program?: string
  env?: Record<string, string>
  /** The clock that JavaScript sees may be set. */
  clock?: boolean
  /** A network namespace, the address that it has, and that of this machine in it for each service. */
  network?: { name: string, host: string, database: string, valkey: string }
}

/** Servers that are under load. */
export interface Served {
  /** Base addresses. */
  addresses: string[]
  key: string
  /** What has a plan, and is asked for. */
  exploration: string
  /** Changes the exploration. */
  change (): Promise<unknown>
  /** How many calls of each version of the client `name` are in the audit log. */
  audited (name: string): Promise<Array<{ as: string, n: number }>>
}

export type Cluster = Awaited<ReturnType<typeof cluster>>

/** Three replicas of a build on a database that this build has made, with the sample data. */
export const cluster = async (program = CLI) => {
  const { postgres, standby, valkey, close: stopServices } = await services()
  const databases = [postgres, standby].map(({ url }) => new URL(url).host).join()
  const databaseUrl = postgres.url.replace(new URL(postgres.url).host, databases)
  const command = (of: string, ...args: string[]): Promise<string> => runCommand(of, args, { DATABASE_URL: databaseUrl })
  await command(program, 'migrate')
  await command(program, 'import', SAMPLE)
  const { key } = await createKey((...args) => command(program, ...args), 'admin')
  const observer = await openPostgres(databaseUrl, { connections: 2 })

  const ends: Array<() => unknown> = []
  const ports = await Promise.all([1, 2, 3].map(() => freePort()))
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`)
  const running: ChildProcess[] = []

  const end = (n: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => endServer(running[n], signal)

  const start = async (n: number, { env, clock, network, program: other }: Setting = {}): Promise<void> => {
    const host = network?.host ?? '127.0.0.1'
    const command = [
      ...network ? ['ip', 'netns', 'exec', network.name] : [], process.execPath, ...clock ? ['--import', CLOCK] : [],
      other ?? program, 'serve', '--port', `${ports[n]}`, '--host', host, '--no-sample'
    ]
    const [ofDatabase, ofValkey] = network
      ? await Promise.all([[postgres.url, network.database], [valkey.url, network.valkey]].map(async ([url, host]) =>
        (await tcpProxy({ teardown: (close) => { ends.push(close) } }, url!, host)).url))
      : [databaseUrl, valkey.url]
    addresses[n] = `http://${host}:${ports[n]}`
    running[n] = await startServer(command, {
      DATABASE_URL: ofDatabase, VALKEY_URL: ofValkey, SESSION_SECRET: 'one secret of all replicas, long enough to be one', ...UNDER_LOAD, ...env
    }, clock)
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
    exploration: PLANNED,
    addresses,
    /** Runs a command of a build on the database, and answers what it printed. */
    command,
    change: () => observer.query(
      "update explorations set updated_at = greatest(now(), updated_at + interval '1 millisecond') where id = $1", [PLANNED]),
    audited: (name: string) => observer.query<{ as: string, n: number }>(
      `select split_part(client, '/', 2) as as, count(*)::int as n from audit_events
       where action like 'tools/call %' and starts_with(client, $1) group by 1`, [`${name}/`]),
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
