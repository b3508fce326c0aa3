/** Three replicas of the built program as processes, each with the services behind a door, and a client that balances over them. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { openBackend } from '../../src/commands/open-backend.js'
import { readConfig } from '../../src/config.js'
import { openPostgres } from '../../src/store/postgres.js'
import { freePort } from '../../scripts/services/process.mjs'
import { door } from '../helpers/door.js'
import { BOTH, meta } from '../helpers/build.js'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const SAMPLE = new URL('../../src/sample/sample.ndjson', import.meta.url)

interface Answer { id?: number, result?: { structuredContent?: { id?: string } }, error?: { code: number, message: string } }

export type Outcome = 'answered' | 'refused' | 'failed' | 'wrong'

const name = `faults_${process.pid}`
const server = process.env['TEST_DATABASE_URL']!
const ends: Array<() => unknown> = []
const later = { teardown: (end: () => unknown) => { ends.push(end) } }

export const cluster = async () => {
  const admin = await openPostgres(server, { connections: 1 })
  await admin.query(`create database ${name}`)
  const databaseUrl = Object.assign(new URL(server), { pathname: `/${name}` }).href
  const database = await door(later, databaseUrl)
  const valkey = await door(later, process.env['TEST_VALKEY_URL']!)
  const backend = await openBackend(readConfig({}, { databaseUrl }), undefined)
  await backend.importRecords(createReadStream(SAMPLE), () => {})
  const user = (await backend.directory.listUsers()).sort((one, other) => other.memberships - one.memberships)[0]!.id
  const { key } = await backend.credentials.createKey({ user, name: 'faults', scope: 'admin' })
  const verified = await backend.credentials.verify(key)
  const [workspace] = 'principal' in verified ? verified.principal.workspaces : []
  const { items: [exploration] } = await backend.store.explorations.list(workspace!, { limit: 1 })
  const observer = await openPostgres(databaseUrl, { connections: 1 })

  const ports = await Promise.all([1, 2, 3].map(() => freePort()))
  const running: ChildProcess[] = []
  const start = async (n: number): Promise<void> => {
    const child = spawn(process.execPath, [CLI, 'serve', '--port', `${ports[n]}`, '--no-sample'], {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: database.url,
        VALKEY_URL: valkey.url,
        SESSION_SECRET: 'one secret of all replicas, long enough to be one',
        LOG_LEVEL: 'fatal',
        DRAIN_SECONDS: '1',
        RATE_LIMIT_ADMIN_PER_MINUTE: '1000000',
        RATE_LIMIT_ADMIN_PER_DAY: '1000000'
      },
      stdio: ['ignore', 'pipe', 'inherit']
    })
    running[n] = child
    await Promise.race([once(child.stdout!, 'data'), once(child, 'exit').then(() => { throw new Error('a replica does not start') })])
    child.stdout!.resume()
  }
  for (const n of [0, 1, 2]) await start(n)

  const agent = new Agent({ connections: 64, headersTimeout: 20_000 })
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: BOTH,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'get_exploration'
  }
  let turn = 0

  return {
    database,
    valkey,
    ports,
    start,
    /** Ends a replica; resolves when it has gone. */
    async end (n: number, signal: 'SIGKILL' | 'SIGTERM') {
      const gone = once(running[n]!, 'exit')
      running[n]!.kill(signal)
      await gone
    },

    /** One call, on the next replica, and on another where that does not answer, as a balancer does with what only reads. */
    async call (id: number): Promise<Outcome> {
      const params = { name: 'get_exploration', arguments: { exploration_id: exploration!.id }, _meta: meta() }
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
      const first = turn++
      for (let attempt = 0; attempt < 3; attempt++) {
        const port = ports[(first + attempt) % 3]!
        try {
          const reply = await request(`http://127.0.0.1:${port}/mcp`, { method: 'POST', dispatcher: agent, headers, body })
          const answer = await reply.body.json() as Answer
          if (reply.statusCode === 503 && reply.headers['retry-after'] && answer.error?.code === 503) {
            if (process.env['FAULT_WORDS']) console.log(answer.error.message)
            return 'refused'
          }
          return reply.statusCode === 200 && answer.id === id && answer.result?.structuredContent?.id === exploration!.id ? 'answered' : 'wrong'
        } catch {
          // To the next one.
        }
      }
      return 'failed'
    },

    /** Calls that are on record. */
    async recorded () {
      const [row] = await observer.query<{ n: number }>("select count(*)::int as n from audit_events where action = 'tools/call get_exploration'")
      return row!.n
    },

    async close () {
      await agent.destroy()
      for (const child of running) child.kill('SIGKILL')
      for (const child of running) if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      for (const end of ends) end()
      await observer.close()
      await backend.close()
      await admin.query(`drop database ${name} with (force)`)
      await admin.close()
    }
  }
}
