// The platform API as this server serves it: to whom, and described how.
import t from 'tap'
import type { FastifyInstance } from 'fastify'
import { callers } from '../../../src/platform-api/client/credential-operations.js'
import { records } from '../../../src/platform-api/client/record-operations.js'
import { sessions } from '../../../src/platform-api/client/session-operations.js'
import type { OperationSpec } from '../../../src/platform-api/client/operation.js'
import { validator } from '../../../src/lib/schema/validator.js'
import { build } from '../../helpers/build.js'
import type { TestFlags } from '../../helpers/config.js'
import { of, sample } from '../../helpers/planning.js'
import { TOKEN } from '../../helpers/platform.js'
import { webServer } from '../../helpers/web.js'

const OPERATIONS = Object.values<OperationSpec>({ ...callers, ...records, ...sessions })

interface Described {
  openapi: string
  security: unknown
  components: { securitySchemes: object }
  paths: Record<string, Record<string, {
    operationId: string,
    description: string,
    summary: string,
    tags: string[]
    parameters?: Array<{ name: string, in: string, required?: boolean, schema: object }>
    requestBody?: { required?: boolean, content: { 'application/json': { schema: object } } }
    responses: Record<string, { content: Record<string, { schema: object }> }>
  }>>
}

const asked = (app: FastifyInstance, { method = 'GET', url, token, payload, headers = {} }: {
  method?: OperationSpec['method'], url: string, token?: string, payload?: object, headers?: Record<string, string>
}) => app.inject({
  method,
  url: `/api/v1${url}`,
  headers: { host: 'localhost', ...token !== undefined && { authorization: `Bearer ${token}` }, ...headers },
  ...payload && { payload }
})

const { app, db, backend, wide } = await webServer(t, { platformToken: TOKEN, failedAuthPerMinute: '1000' })

t.test('fronts are let in by their token alone', async (t) => {
  const { key } = await backend.credentials.createKey({ user: wide.id, name: 'x', scope: 'read' })
  const { token: personal } = await backend.credentials.createToken({ user: wide.id, name: 'x' })
  const exploration = of(sample, 'exploration')[0]!.id
  for (const token of [undefined, key, personal, `${TOKEN}x`, TOKEN.slice(1)]) {
    for (const { method, path } of OPERATIONS) {
      const url = path.replace('{id}', exploration).replace('{type}', 'design').replace('{session}', 'x')
      const reply = await asked(app, {
        method, url, ...token !== undefined && { token }, ...method !== 'GET' && { payload: {} }
      })
      t.match(
        [reply.statusCode, reply.headers['www-authenticate'], reply.headers['content-type']],
        [401, /^Bearer realm="exploration-mcp"/, /problem\+json/],
        `${method} ${path}`
      )
      t.notOk(reply.body.includes(TOKEN.slice(1)))
    }
  }
  t.match((await asked(app, { url: '/platform', token: TOKEN })).json(), { name: 'exploration-mcp', version: /^\d/ })
  t.equal(
    (await asked(app, { url: '/platform', token: TOKEN, headers: { origin: 'https://evil.example' } })).statusCode,
    403,
    'no page of elsewhere'
  )
})

t.test('wrong tokens are counted by address, right ones are not; while a token is replaced, the old one lets fronts in too', async (t) => {
  const fresh = `${TOKEN}-of-today`
  const statusesOf = async (flags: TestFlags, ...tokens: string[]) => {
    const { app } = await build(t, flags, [], db)
    const statuses: number[] = []
    for (const token of tokens) statuses.push((await asked(app, { url: '/platform', token })).statusCode)
    return statuses
  }
  t.same(await statusesOf({ platformToken: TOKEN, failedAuthPerMinute: '2' }, 'a', 'b', 'c', TOKEN, TOKEN, TOKEN), [401, 401, 429, 200, 200, 200])
  t.same(await statusesOf({ platformToken: fresh, platformTokenPrevious: `${TOKEN}\n` }, fresh, TOKEN, `${TOKEN}-of-yesterday`), [200, 200, 401])
  t.same(await statusesOf({ platformToken: fresh }, TOKEN), [401])
  t.same(await statusesOf({}, TOKEN), [404], 'without a token there is nothing')
})

t.test('a platform decides by its token what agents may do in its workspaces, and nothing else of them', async (t) => {
  const patch = async (payload: object, token = TOKEN, workspace = 'kiln') => {
    const reply = await asked(app, { method: 'PATCH', url: `/workspaces/${workspace}`, token, payload })
    return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() }
  }
  t.match(await patch({ agents: 'propose' }), { status: 200, body: { slug: 'kiln', agents: 'propose', gains: [] } })
  t.match(await patch({ agents: 'read' }), { status: 200, body: { agents: 'read' } })
  for (const body of [{ name: 'Other' }, { agents: 'read', archived: true }, {}, { agents: 'write' }]) t.equal((await patch(body)).status, 400, JSON.stringify(body))
  t.equal((await patch({ agents: 'report' }, 'another token')).status, 401)
  t.equal((await patch({ agents: 'report' }, TOKEN, 'nowhere')).status, 404)
  t.same(await db.query("select actor, action from audit_events where action like 'workspace/%' order by id"), [
    { actor: 'the platform', action: 'workspace/changed agents propose' }, { actor: 'the platform', action: 'workspace/changed agents read' }
  ])
  t.same(await db.query("select agents from workspaces where slug = 'kiln'"), [{ agents: 'read' }])
})

t.test('what is wrong is a problem', async (t) => {
  const status = async (method: OperationSpec['method'], url: string, payload?: object) =>
    (await asked(app, { method, url, token: TOKEN, ...payload && { payload } })).statusCode
  const nobody = '00000000-0000-4000-8000-000000000000'
  t.equal(await status('GET', `/explorations/${nobody}`), 404)
  t.equal(await status('GET', '/explorations/no-id'), 400)
  t.equal(await status('GET', `/explorations/${nobody}/packages/..%2f`), 400)
  t.equal(await status('GET', `/workspaces/${nobody}/explorations`), 400, 'a page has a size')
  t.equal(await status('GET', `/workspaces/${nobody}/explorations?limit=5&cursor=mine`), 422)
  t.equal(await status('POST', '/explorations/search', { query: 'x', workspace_ids: [nobody], limit: 5, colour: 'red' }), 400)
  t.equal(await status('POST', '/credentials/verify', {}), 400)
  t.equal(await status('POST', '/audit-events', { events: [] }), 400)
})

t.test('it is described for everyone, completely', async (t) => {
  const { app } = await build(t, { platformToken: TOKEN }, [], db)
  const reply = await asked(app, { url: '/openapi.json' })
  t.equal(reply.statusCode, 200)
  const document = reply.json<Described>()
  t.match(document, {
    openapi: /^3\.1/, info: { title: String, description: String, version: String }, security: [{ platformToken: [] }]
  })
  t.match(document.components.securitySchemes, { platformToken: { type: 'http', scheme: 'bearer' } })
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })))
  t.same(described.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`).sort(),
    OPERATIONS.map(({ method, path, id }) => `${method} /api/v1${path} ${id}`).sort())
  for (const { path, operationId, summary, description, parameters = [], requestBody, responses, ...rest } of described) {
    const spec = OPERATIONS.find(({ id }) => id === operationId)!
    t.ok(summary.length > 5 && rest.tags.includes('platform'), operationId)
    t.match(description, spec.without === undefined ? 'Needed.' : spec.without)
    t.same(parameters.filter((one) => one.in === 'path').map(({ name }) => name).sort(),
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort(), `${operationId}: each part of the path`)
    t.ok(parameters.every((one) => one.in !== 'path' || one.required), `${operationId}: which is always there`)
    t.equal(requestBody !== undefined, spec.body !== undefined, `${operationId}: a body`)
    t.strictSame(
      responses['200']!.content['application/json']!.schema,
      JSON.parse(JSON.stringify(spec.answer)),
      `${operationId}: the very schema that fronts check`
    )
    t.ok(responses['4XX'] && responses['5XX'], `${operationId}: problems`)
    for (const schema of [responses['200']!.content['application/json']!.schema, requestBody?.content['application/json'].schema, ...parameters.map((one) => one.schema)]) {
      if (schema) t.doesNotThrow(() => validator(schema), `${operationId}: a valid schema`)
    }
  }
  t.equal(new Set(described.map(({ operationId }) => operationId)).size, OPERATIONS.length)
  t.notMatch(reply.body, /\$ref/, 'nothing to be looked up elsewhere')
})
