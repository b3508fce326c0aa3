// A server of the hosted bench, in a process of its own: the product as it runs hosted, or a bare route that reads the same record.
// Says its port, then how much CPU it took and, after a collection, how much memory it holds, whenever it is asked.
import fastify from 'fastify'
import pg from 'pg'
import { buildApp } from '../../dist/server/build-app.js'
import { connectValkey } from '../../dist/server/connect-valkey.js'
import { openBackend } from '../../dist/server/backend.js'
import { readConfig } from '../../dist/config.js'

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

const product = async () => {
  const config = readConfig({ DATABASE_URL: databaseUrl }, { valkeyUrl, publicUrl, databaseConnections: `${CONNECTIONS}`, logLevel, ...UNLIMITED })
  const { deps } = await connectValkey(valkeyUrl)
  return buildApp(config, { ...await openBackend(config, undefined), ...deps, sessionSecret: 'a secret of the bench, long enough to be one' })
}

const app = await (process.argv[2] === 'bare' ? bare : product)()
await app.listen({ host: '127.0.0.1', port: 0 })
process.on('message', (question) => {
  if (question === 'memory') global.gc()
  const { user, system } = process.cpuUsage()
  const { heapUsed, external, rss } = process.memoryUsage()
  process.send({ cpu: user + system, held: heapUsed + external, rss })
})
process.once('SIGTERM', () => process.exit())
process.send({ port: app.server.address().port })
