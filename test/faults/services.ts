/** PostgreSQL and Valkey that a fault may break: its own, beside those of other tests. */
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { DEBIAN, folderInside } from '../../scripts/services/debian.mjs'
import { freePort, stop } from '../../scripts/services/process.mjs'
import { copyPostgres, runPostgres, startPostgres, startValkey } from '../../scripts/services/services.mjs'

// Room for the replicas and little else, so that another program can take what is left.
const SETTINGS = ['max_connections=60', 'superuser_reserved_connections=0', 'reserved_connections=0']

export interface Breakable {
  url: string
  /** Stops in order, and starts again on the same port. */
  restart (awayMs: number): Promise<void>
  /** Ends at once, with nothing in order; `start` is after it. */
  kill (): Promise<void>
  start (): Promise<void>
  /** Runs no further, and answers nothing. */
  pause (): void
  resume (): void
}

export interface Postgres extends Breakable {
  /** Settings of a running server, which it takes over at once. */
  set (settings: Record<string, string>): void
}

export const services = async () => {
  const inside = folderInside()
  const all: Array<{ end (): Promise<void> }> = []

  const breakable = (
    name: string, url: string, signal: 'SIGINT' | 'SIGTERM', first: number | undefined, run: () => Promise<number>,
    data = ''
  ): Postgres => {
    let pid = first
    const end = async (): Promise<void> => {
      if (pid === undefined) return
      signalTree(pid, 'SIGCONT')
      await stop({ name, pid, signal })
      pid = undefined
    }
    const one = {
      url,
      async restart (awayMs: number) {
        await end()
        await new Promise((resolve) => setTimeout(resolve, awayMs))
        await one.start()
      },
      async kill () {
        signalTree(pid!, 'SIGKILL')
        // Until it has been waited for too: PostgreSQL takes what is left of a process for another server on its data.
        while (existsSync(`/proc/${pid}`)) await new Promise((resolve) => setTimeout(resolve, 20))
        pid = undefined
      },
      async start () { pid = await run() },
      set (settings: Record<string, string>) {
        for (const [setting, value] of Object.entries(settings)) appendFileSync(`${DEBIAN}${data}/postgresql.auto.conf`, `${setting} = '${value}'\n`)
        process.kill(pid!, 'SIGHUP')
      },
      pause () { signalTree(pid!, 'SIGSTOP') },
      resume () { signalTree(pid!, 'SIGCONT') }
    }
    all.push({ end })
    return one
  }

  const data = `${inside}/postgres`
  const first = await startPostgres(inside, { settings: SETTINGS })
  const postgres = breakable('PostgreSQL', first.url, 'SIGINT', first.pid, () => runPostgres(data, first.port, SETTINGS), data)
  const memory = await startValkey(inside)
  const valkey: Breakable = breakable('Valkey', memory.url, 'SIGTERM', memory.pid, async () => (await startValkey(inside, memory.port)).pid)
  const port = await freePort()
  const copy = `${inside}/standby`
  const standby = breakable('the standby', Object.assign(new URL(first.url), { port: `${port}` }).href, 'SIGINT', undefined, async () => {
    rmSync(DEBIAN + copy, { recursive: true, force: true })
    copyPostgres(first.url, copy)
    return runPostgres(copy, port, SETTINGS)
  }, copy)

  return {
    postgres,
    /** A copy of `postgres` that follows it, made each time it is started. */
    standby,
    valkey,
    async close () {
      for (const one of all.reverse()) await one.end()
      rmSync(DEBIAN + inside, { recursive: true, force: true })
    }
  }
}

/** To a process and what it started: PostgreSQL's own processes are no group. */
const signalTree = (pid: number, signal: NodeJS.Signals): void => {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid).map(Number)
  for (const one of [pid, ...children]) {
    try {
      process.kill(one, signal)
    } catch {
      // It has gone by itself.
    }
  }
}

const parentOf = (pid: string): number => {
  try {
    // The name, in parentheses, may hold anything.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) \S /s, '').split(' ', 1)[0])
  } catch {
    return 0
  }
}
