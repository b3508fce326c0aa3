// A server of the hosted bench, in a process of its own: the product as it runs hosted, or a bare route that reads the same record, or one that
// finds the nearest ten vectors, or the product with that as its whole search. Says its port, then how much CPU it took and, after a collection,
// how much memory it holds, whenever it is asked; asked for its turns, also how long those of its event loop were since the last time.
import fastify from 'fastify'
import pg from 'pg'
import { buildApp } from '../../.test-build/src/server/build-app.js'
import { connectValkey } from '../../.test-build/src/server/connect-valkey.js'
import { openBackend } from '../../.test-build/src/server/open-backend.js'
import { readConfig } from '../../.test-build/src/config.js'
import { PG_SETTINGS } from '../../.test-build/src/db/pg-settings.js'
import { openPostgres } from '../../.test-build/src/db/postgres.js'
import { floorBackend, nearestStatement } from './search-floor.mjs'
import { watchTurns } from './event-loop-turns.mjs'

const { DATABASE_URL: databaseUrl, VALKEY_URL: valkeyUrl, PUBLIC_URL: publicUrl, LOG_LEVEL: logLevel = 'warn' } = process.env
const CONNECTIONS = 10
const MANY = '1000000000'
const UNLIMITED = {
  concurrentCalls: '100000', rateLimitAdminPerMinute: MANY, rateLimitAdminPerDay: MANY, rateLimitReadPerMinute: MANY, rateLimitReadPerDay: MANY
}

const bare = async () => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS })
  const app = fastify()
  app.post('/mcp', async ({ body }) => {
    const { rows } = await pool.query({ name: 'read', text: 'select * from explorations where id = $1', values: [body.params.arguments.exploration_id] })
    return rows[0]
  })
  return app
}

/** With the settings of the product's connections. */
const nearest = async () => {
  const pool = new pg.Pool({
    connectionString: databaseUrl, max: CONNECTIONS, options: Object.entries(PG_SETTINGS).map(([name, value]) => `-c ${name}=${value}`).join(' ')
  })
  const { rows: [{ dimensions }] } = await pool.query('select dimensions from embedders where id = 1')
  const text = nearestStatement(dimensions)
  const app = fastify()
  app.post('/mcp', async ({ body: { visible, vector } }) => (await pool.query({ name: 'nearest', text, values: [visible, vector] })).rows)
  return app
}

const productWith = async (backendOf) => {
  const config = readConfig({ DATABASE_URL: databaseUrl }, { valkeyUrl, publicUrl, databaseConnections: `${CONNECTIONS}`, logLevel, ...UNLIMITED })
  const { deps } = await connectValkey(valkeyUrl)
  return buildApp(config, { ...await backendOf(config), ...deps, sessionSecret: 'a secret of the bench, long enough to be one' })
}
const product = () => productWith((config) => openBackend(config, undefined))
/** The product with a search that is the bare statement alone: what no search can do without. */
const floor = () => productWith(async (config) => floorBackend(await openPostgres(databaseUrl, { connections: CONNECTIONS }), config))

const turns = process.argv[2] === 'bare' ? undefined : watchTurns()
const app = await { bare, nearest, product, floor }[process.argv[2]]()
await app.listen({ host: '127.0.0.1', port: 0 })
process.on('message', (question) => {
  if (question === 'memory') global.gc()
  const { user, system } = process.cpuUsage()
  const { heapUsed, external, rss } = process.memoryUsage()
  process.send({ cpu: user + system, held: heapUsed + external, rss, ...question === 'turns' && { turns: turns.read() } })
})
process.once('SIGTERM', () => process.exit())
process.send({ port: app.server.address().port })
