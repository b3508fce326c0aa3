/** What goes wrong, and how it is made to: each with a name that `npm run faults -- NAME` takes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'iovalkey'
import pg from 'pg'
import type { Cluster } from './cluster.js'
import { idleStreams } from './idle-streams.js'
import type { Figures, load } from './load.js'
import { neverReads } from './never-reads.js'
import { network } from './network.js'
import { writersWhileKilled } from './writers.js'
import { MAX_LIVEZ_MS, MAX_PING_P99_MS, worstCaller } from './worst-caller.js'

export type Begin = (callers?: number) => ReturnType<typeof load>

export interface Told extends Figures { note?: string | undefined }

export interface Fault {
  title: string
  /** Takes a few seconds and no more: part of the test. */
  quick?: boolean
  run (cluster: Cluster, begin: Begin): Promise<Told>
}

/** Work while calls go on, and then until all of them are answered again. */
const during = async (begin: Begin, work: () => Promise<unknown>, callers?: number): Promise<Told> => {
  const load = await begin(callers)
  await sleep(300)
  const told = await work()
  return { ...await load.finish(), note: typeof told === 'string' ? told : undefined }
}
const plain = (title: string, work: (cluster: Cluster) => Promise<unknown>, quick = false): Fault =>
  ({ title, quick, run: (cluster, begin) => during(begin, () => work(cluster)) })

/** Not the calls of the load, but those of others beside one that does its worst; wrong is what takes too long. */
const worst = (name: string, serverOf: (cluster: Cluster) => string | undefined): Fault => ({
  title: `one credential does its worst for 30 s, 6,000 explorations, ${name}`,
  async run (cluster) {
    const { pings, refused, p50, p99, livezMax, attacker } = await worstCaller(serverOf(cluster))
    const wrong = Number(p99 > MAX_PING_P99_MS) + Number(livezMax > MAX_LIVEZ_MS)
    const note = `ping of others p50 ${p50} ms, p99 ${p99} ms; /livez at most ${livezMax} ms; the one got ${attacker}`
    return { sent: pings, answered: pings - refused, refused, failed: 0, wrong, lost: 0, recoverMs: 0, note }
  }
})

const JUMP_MS = 3_600_000
const COMMIT_MS = 250

export const FAULTS: Record<string, Fault> = {
  none: plain('none, for comparison', async () => { await sleep(2000) }),

  'replica-killed': plain('a replica is killed every 2 s', async ({ end, start }) => {
    for (const n of [0, 1, 2]) {
      await end(n, 'SIGKILL')
      await Promise.all([start(n), sleep(2000)])
    }
  }),

  'rolling-restart': plain('each replica is restarted in turn', async ({ restart }) => {
    for (const n of [0, 1, 2]) await restart(n)
  }),

  'connections-cut': plain('connections to PostgreSQL are cut, three times', async ({ postgres }) => {
    for (let times = 0; times < 3; times++) {
      await asked(postgres.url, CUT)
      await sleep(700)
    }
  }, true),

  'postgres-restarted': plain('PostgreSQL is restarted, 1 s away', ({ postgres }) => postgres.restart(1000), true),

  'postgres-crashed': plain('PostgreSQL crashes, and recovers', async ({ postgres }) => {
    await postgres.kill()
    await postgres.start()
  }),

  'postgres-paused': plain('PostgreSQL is paused for 2 s', async ({ postgres }) => {
    postgres.pause()
    await sleep(2000)
    postgres.resume()
  }),

  'postgres-full': plain('another program takes all connections to PostgreSQL for 2 s', async ({ postgres }) => {
    const taken: pg.Client[] = []
    const take = async (): Promise<void> => {
      const client = new pg.Client({ connectionString: postgres.url })
      client.on('error', () => {})
      await client.connect()
      taken.push(client)
    }
    await take()
    const end = performance.now() + 2000
    await taken[0]!.query(CUT)
    while (performance.now() < end) await take().catch(() => sleep(10))
    await Promise.all(taken.map((client) => client.end()))
  }, true),

  'pool-full': {
    title: '48 callers, pools of 2, the table locked for 2 s',
    async run (cluster, begin) {
      await cluster.restartAll({ env: { DATABASE_CONNECTIONS: '2' } })
      const told = await during(begin, async () => asked(cluster.postgres.url, 'begin; lock table explorations; select pg_sleep(2); commit'), 48)
      await cluster.restartAll()
      return told
    }
  },

  'slow-audit': {
    title: `each commit takes ${COMMIT_MS} ms for 3 s, as on a slow disk`,
    async run (cluster, begin) {
      const { postgres, standby } = cluster
      await standby.start()
      const told = await during(begin, async () => {
        standby.set({ recovery_min_apply_delay: `${COMMIT_MS}ms` })
        postgres.set({ synchronous_standby_names: '*', synchronous_commit: 'remote_apply' })
        await sleep(3000)
        postgres.set({ synchronous_standby_names: '', synchronous_commit: 'on' })
      })
      await standby.kill()
      return told
    }
  },

  'valkey-restarted': plain('Valkey is restarted, 1 s away, empty', ({ valkey }) => valkey.restart(1000), true),

  'valkey-paused': plain('Valkey is paused for 2 s', async ({ valkey }) => {
    valkey.pause()
    await sleep(2000)
    valkey.resume()
  }, true),

  'valkey-emptied': plain('Valkey is emptied, ten times', async ({ valkey }) => {
    const redis = new Redis(valkey.url)
    for (let times = 0; times < 10; times++) {
      await redis.flushall()
      await sleep(100)
    }
    redis.disconnect()
  }, true),

  partition: {
    title: 'one replica cannot reach Valkey for 3 s (network namespace)',
    async run (cluster, begin) {
      const net = network()
      try {
        await cluster.restart(2, { network: net })
        return await during(begin, async () => {
          net.pull()
          await sleep(3000)
          net.plug()
        })
      } finally {
        await cluster.restart(2)
        net.remove()
      }
    }
  },

  clock: {
    title: 'the clock of one replica jumps by +1 h, −1 h',
    async run (cluster, begin) {
      await cluster.restart(1, { clock: true })
      const told = await during(begin, async () => {
        for (const ms of [JUMP_MS, -JUMP_MS, 0]) {
          cluster.jump(1, ms)
          await sleep(1500)
        }
      })
      await cluster.restart(1)
      return told
    }
  },

  'idle-streams': {
    title: '10,000 idle streams on one replica',
    run: (cluster, begin) => during(begin, () => idleStreams(cluster, 10_000))
  },

  'writers-killed': {
    title: 'a replica is killed every 0.5 s while eight agents write; each write is sent again until it is answered',
    run: writersWhileKilled
  },

  'never-reads': {
    title: 'clients that never read', run: (cluster, begin) => during(begin, () => neverReads(cluster))
  },

  'worst-caller': worst('PGlite', () => undefined),

  'worst-caller-postgres': worst('PostgreSQL', ({ postgres }) => postgres.url),

  // The last: what was the standby is the database from then on.
  failover: {
    title: 'PostgreSQL dies, its standby is promoted after 1 s',
    async run (cluster, begin) {
      const { postgres, standby } = cluster
      await standby.start()
      postgres.set({ synchronous_standby_names: '*' })
      return during(begin, async () => {
        await postgres.kill()
        await sleep(1000)
        await asked(standby.url, 'select pg_promote()')
      })
    }
  }
}

const CUT = "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'exploration-mcp%'"

const asked = async (url: string, statements: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statements)
  await client.end()
}
