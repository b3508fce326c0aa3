/**
 * A build takes the place of another under load, on the same data: what either has committed is there for both, a credential that one of
 * them made is valid at the other, and one that it revoked is not.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { PREVIOUS, releasedBuild } from '../upgrade/released-build.js'
import { callTool, readEverything, withoutArchivedInCounts } from '../helpers/server-process.js'
import { CLI, cluster, type Served } from './cluster.js'
import { embedded } from './embedded.js'
import type { Told } from './faults.js'
import { load } from './load.js'
import { createKey } from './prepare.js'

/** Servers on one set of data, each of which can be replaced by one of another build. */
export interface Replaceable extends Served {
  /** Runs a command of a build on the data. */
  command (program: string, ...args: string[]): Promise<string>
  /** Ends the server `n` in order, and starts one of the build at its address. */
  replace (n: number, program: string): Promise<void>
  /** Whether both builds serve at the same time. */
  sideBySide: boolean
  close (): Promise<void>
}

export interface Upgrade {
  title: string
  run (): Promise<Told>
}

const SIDE_BY_SIDE_MS = 1500

/** Replaces one server after the other. What is answered differently counts as wrong. */
const replaceAll = async (servers: Replaceable, from: string, to: string): Promise<Told> => {
  const { addresses, key, command } = servers
  const endpoints = addresses.map((address) => `${address}/mcp`)
  const running = await load(servers, 'upgrade')
  let differing = 0
  let compared = 0
  const check = (isRight: boolean): void => {
    compared++
    if (!isRight) differing++
  }
  const statuses = async (credential: string): Promise<number[]> =>
    await Promise.all(endpoints.map(async (endpoint) => (await callTool(endpoint, credential, 'ping')).status))
  const read = async (endpoint: string) => withoutArchivedInCounts(await readEverything(endpoint, key))
  const page = async (endpoint: string, cursor?: string) => {
    const { content } = await callTool(endpoint, key, 'list_workspaces', { limit: 1, ...cursor && { cursor } })
    return content as { workspaces?: Array<{ id: string }>, next_cursor?: string }
  }

  const by = (program: string) => (...args: string[]) => command(program, ...args)
  const [kept, revoked] = [await createKey(by(from), 'read'), await createKey(by(from), 'read')]
  await command(from, 'keys', 'revoke', revoked.id)
  const before = await read(endpoints[0]!)
  const { next_cursor: cursor } = await page(endpoints[0]!)
  const second = await page(endpoints[0]!, cursor)
  // Anyone who comes first does it; of these commands only one does something.
  if (servers.sideBySide) for (const program of [to, from]) await command(program, 'migrate')

  for (const n of addresses.keys()) {
    await servers.replace(n, to)
    await sleep(SIDE_BY_SIDE_MS)
    for (const endpoint of endpoints) {
      const answers = await read(endpoint)
      for (const name of Object.keys(before)) check(JSON.stringify(answers[name]) === JSON.stringify(before[name]))
      check((await page(endpoint, cursor)).workspaces?.[0]?.id === second.workspaces?.[0]?.id)
    }
    const made = await createKey(by(to), 'read')
    for (const credential of [kept, made]) for (const status of await statuses(credential.key)) check(status === 200)
    await command(servers.sideBySide ? from : to, 'keys', 'revoke', made.id)
    for (const credential of [revoked, made]) for (const status of await statuses(credential.key)) check(status === 401)
  }
  const figures = await running.finish()
  return { ...figures, wrong: figures.wrong + differing, note: `${compared} answers of both builds compared` }
}

const hosted = async (program: string): Promise<Replaceable> => {
  const replicas = await cluster(program)
  return { ...replicas, sideBySide: true, replace: (n, to) => replicas.restart(n, { program: to }) }
}

const upgrade = (title: string, begin: (program: string) => Promise<Replaceable>, isBack: boolean): Upgrade => ({
  title,
  async run () {
    const previous = await releasedBuild(PREVIOUS)
    if (previous === undefined) throw new Error(`The history has no ${PREVIOUS}.`)
    const [from, to] = isBack ? [CLI, previous] as const : [previous, CLI] as const
    const servers = await begin(from)
    try {
      return await replaceAll(servers, from, to)
    } finally {
      await servers.close()
    }
  }
})

/** Upgrades to the program of today from the build before, and the way back. */
export const UPGRADES: Record<string, Upgrade> = {
  upgrade: upgrade('three replicas on one PostgreSQL, one after the other: the previous build, then this one', hosted, false),
  downgrade: upgrade('the same the other way: this build, then the previous one', hosted, true),
  'upgrade-embedded': upgrade('an embedded folder: the previous build, then this one', embedded, false),
  'downgrade-embedded': upgrade('the same the other way: this build, then the previous one', embedded, true)
}
