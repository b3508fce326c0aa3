/** Ten agents that work through one plan at once: on an embedded server, or through three replicas where there is a PostgreSQL. */
import type { Test } from 'tap'
import { openPostgres } from '../../src/db/postgres/postgres.js'
import type { Database } from '../../src/db/sql/database.js'
import { build } from './build.js'
import { ownDatabase, sampleDatabase, SERVER, templateName } from './database.js'
import { importLines } from './planning-data.js'
import { EXPLORATION, planLines, useOn, WORKSPACE, type Called } from './writing.js'

export const AGENTS = 10
export const ITEMS = Array.from({ length: 40 }, (_, n) => `item-${n + 1}`)

const UNLIMITED = {
  rateLimitReadWritePerMinute: '100000000', rateLimitReadWritePerDay: '100000000', concurrentCalls: '1000'
}

export interface Agents {
  db: Database
  /** Calls a tool as the agent of that number, each time on the next replica. */
  use: (agent: number, tool: string, args?: object) => Promise<Called>
  /** Makes the plan as it was imported. */
  reset: () => Promise<void>
}

/** @param wrap puts something around the database of each replica */
export const agents = async (
  t: Test, policy: 'propose' | 'report', lines: readonly object[] = planLines(ITEMS.map((id) => ({ id }))), wrap = (db: Database): Database => db
): Promise<Agents> => {
  const { apps, db, people, credentials } = await servers(t, wrap)
  await importLines(db, lines)
  const keys = await Promise.all(Array.from({ length: AGENTS }, async (_, agent) => {
    const person = await people.createUser({ email: `agent-${agent}@example.com`, name: `Agent ${agent}`, kind: 'person' } as never) as { id: string }
    await db.query("insert into memberships (user_id, workspace_id, role) values ($1, $2, 'editor')", [person.id, WORKSPACE])
    return (await credentials.createKey({ user: person.id, name: `agent ${agent}`, scope: 'read_write' })).key
  }))
  await db.query('update workspaces set agents = $2 where id = $1', [WORKSPACE, policy])
  const calls = apps.map((app) => useOn({ app }))
  let turn = 0
  return {
    db,
    use: (agent, tool, args) => calls[turn++ % calls.length]!(keys[agent]!, tool, args),
    reset: () => db.script(`delete from leases; update plan_items set status = 'todo', finished = null where exploration_id = '${EXPLORATION}'`)
  }
}

const servers = async (t: Test, wrap: (db: Database) => Database) => {
  if (SERVER === undefined) {
    const db = await sampleDatabase(t)
    const { app, ...parts } = await build(t, UNLIMITED, [], wrap(db))
    return { ...parts, apps: [app], db }
  }
  const url = await ownDatabase(t, SERVER, await templateName(SERVER, 'sample'))
  const replica = async () => {
    const db = await openPostgres(url, { connections: 4 })
    t.teardown(() => db.close())
    return { ...await build(t, UNLIMITED, [], wrap(db)), db }
  }
  const replicas = [await replica(), await replica(), await replica()] as const
  return { ...replicas[0], apps: replicas.map(({ app }) => app) }
}
