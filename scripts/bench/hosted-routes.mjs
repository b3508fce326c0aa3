// What the product is compared with in the hosted bench, in a process of its own: bare Fastify routes that read the same record by its id, and that find
// the nearest ten vectors, with as many connections to PostgreSQL. Says its port.
import fastify from 'fastify'
import pg from 'pg'

// Those of the product's connections (src/db/postgres/pg-settings.ts).
const SETTINGS = '-c hnsw.ef_search=100 -c hnsw.iterative_scan=relaxed_order -c random_page_cost=1.1'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, options: SETTINGS })
const { rows: [{ id, dimensions }] } = await pool.query('select id, dimensions from embedders order by adopted_at desc limit 1')
const NEAREST = `select exploration_id from exploration_vectors
  where embedder = ${id} and embedding is not null and workspace_id = any($1::uuid[])
  order by embedding::vector(${dimensions}) <=> $2 limit 10`
const READ = 'select * from explorations where id = $1'

const app = fastify()
app.post('/mcp', async ({ body }) => {
  const query = body.vector === undefined
    ? { name: 'read', text: READ, values: [body.params.arguments.exploration_id] }
    : { name: 'nearest', text: NEAREST, values: [body.visible, body.vector] }
  return (await pool.query(query)).rows
})
await app.listen({ host: '127.0.0.1', port: 0 })
process.on('disconnect', () => { process.exit() })
process.send({ port: app.server.address().port })
