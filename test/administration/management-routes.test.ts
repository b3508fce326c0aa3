// The management API by itself: problems, bounds, streams. What its operations do, the tests of the commands show.
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import t from 'tap'
import { managementServer } from '../../src/administration/socket-server.js'
import { socketOperations } from '../../src/administration/operations.js'
import type { ManagementPorts } from '../../src/administration/ports.js'
import type { OperationSpec } from '../../src/platform-api/client/operation.js'
import { callers } from '../../src/platform-api/client/credential-operations.js'
import { records } from '../../src/platform-api/client/record-operations.js'
import { sessions } from '../../src/platform-api/client/session-operations.js'
import { testConfig } from '../helpers/config.js'
import { database } from '../helpers/database.js'
import { ALPHA, alphaLine, importLines, textOf, userLine } from '../helpers/planning-data.js'
import { backendOn } from '../../src/server/backend.js'

const platformOperations = Object.values<OperationSpec>({ ...callers, ...records, ...sessions })

const db = await database(t)
const ports = await backendOn({ ...db, close: async () => {} }, testConfig())
await importLines(db, [alphaLine])
let importInstead: ManagementPorts['importRecords'] | undefined
const app = await managementServer({ ...ports, importRecords: (...given) => (importInstead ?? ports.importRecords)(...given) })
t.teardown(async () => {
  await app.close()
  await ports.close()
})
const call = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object, user?: string) => {
  const answer = await app.inject({ method, url: `/api/v1${path}`, ...(body && { body }), headers: user === undefined ? {} : { 'exploration-mcp-user': user } })
  return { status: answer.statusCode, json: answer.json(), headers: answer.headers }
}

const ann = { email: 'ann@example.com', name: 'Ann' }

t.test('what is made is shown once, to no cache; whose it will be has to be said', async (t) => {
  t.match(await call('POST', '/users', ann), { status: 201, headers: { 'x-content-type-options': 'nosniff' }, json: { ...ann, kind: 'person', id: String } })
  t.match(await call('POST', '/users', ann), {
    status: 409, headers: { 'content-type': 'application/problem+json; charset=utf-8' }, json: { status: 409, title: 'Conflict', detail: /"ann@example\.com" already/ }
  })
  t.match(await call('PUT', `/people/${ann.email}/memberships/alpha`, { role: 'god' }), { status: 400, json: { detail: /^role must be one of/ } })
  t.match(await call('PUT', `/people/${ann.email}/memberships/alpha`, { role: 'viewer' }), { status: 200, json: { workspace_id: ALPHA, role: 'viewer' } })
  const key = await call('POST', '/keys', { name: 'ci', scope: 'read', workspaces: ['alpha'] }, ann.email)
  t.match(key, { status: 201, headers: { 'cache-control': 'no-store' }, json: { secret: /^svc_key_/ } })
  t.notMatch(JSON.stringify((await call('GET', `/admin/credentials?kind=api_key&user=${ann.email}`)).json), key.json.secret)
  t.equal((await call('DELETE', `/tokens/${key.json.id}`)).status, 404, 'a key is no token')
  const x = { name: 'x', scope: 'read' }
  for (const [user, status] of [['nobody', 404], [undefined, 422], ['%E0%A4%A', 404]] as const) t.equal((await call('POST', '/keys', x, user)).status, status, `${user}`)
})

t.test('an import streams progress and ends with a summary, or with the reason why not', async (t) => {
  const send = async (body: string, type = 'application/x-ndjson') => {
    const answer = await app.inject({ method: 'POST', url: '/api/v1/imports', headers: { 'content-type': type }, body: Readable.from([body]) })
    return { status: answer.statusCode, lines: answer.body.trim().split('\n').map((line) => JSON.parse(line)) }
  }
  const { lines } = await send(textOf(Array.from({ length: 500 }, (_, n) => userLine(`user-${n}`))))
  t.match(lines[0], { progress: { phase: 'checking', done: 500 } })
  t.match(lines.at(-1), { summary: { total: 500, records: { user: { created: 500, replaced: 0 } } } })
  t.match((await send(`${textOf([alphaLine])}bad\n`)).lines.at(-1), { problem: { status: 422, detail: /ine 2: .*JSON/ } })
  importInstead = async () => { throw new Error('secret inside') }
  const crash = await send('')
  t.match(crash.lines, [{ problem: { status: 500, detail: /^Internal error\. The log of the server has the cause/ } }])
  t.notMatch(JSON.stringify(crash), /secret inside/)
  t.equal((await send('<a/>', 'text/xml')).status, 415)
})

t.test('what is not there, not JSON, or broken inside is a problem document that gives nothing away', async (t) => {
  t.match(await call('GET', '/nothing'), { status: 404, headers: { 'content-type': /problem/ }, json: { status: 404 } })
  t.match(await app.inject('/'), { statusCode: 404, headers: { 'content-type': /problem/ } })
  const headers = { 'content-type': 'application/json' }
  t.equal((await app.inject({ method: 'POST', url: '/api/v1/users', headers, body: '{' })).statusCode, 400)
  t.equal((await call('POST', '/users', { ...ann, admin: true })).status, 400)
  for (const wrong of ['limit=0', 'limit=x', 'since=yesterday', 'colour=red']) t.equal((await call('GET', `/admin/audit-events?${wrong}`)).status, 400, wrong)
  ports.directory.listUsers = async () => { throw new Error('password is hunter2') }
  const broken = await call('GET', '/users')
  t.match(broken, { status: 500, json: { detail: /request/ } })
  t.notMatch(JSON.stringify(broken.json), /hunter2/)
})

t.test('OpenAPI describes every route, and each is a row of the table', async (t) => {
  const { json } = await call('GET', '/openapi.json')
  t.match(json, { openapi: /^3\.1/, info: { title: String, version: String } })
  const paths: Record<string, Record<string, { operationId: string }>> = json.paths
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  t.same(
    operations.map(({ operationId }) => operationId).sort(),
    [...platformOperations, ...Object.values(socketOperations)].map(({ id }) => id).sort()
  )
  t.ok(json.paths['/api/v1/users'].post.requestBody.content['application/json'].schema.properties.email)
})

t.test('an import whose client leaves is told so', async (t) => {
  let told: (reason: unknown) => void = () => {}
  const left = new Promise<unknown>((resolve) => { told = resolve })
  importInstead = (_source, { signal } = {}) => new Promise((_resolve, reject) => {
    client.destroy()
    signal?.addEventListener('abort', () => {
      told(signal.reason)
      reject(signal.reason)
    })
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const client = request({ port, host: '127.0.0.1', method: 'POST', path: '/api/v1/imports', headers: { 'content-type': 'application/x-ndjson' } })
  client.on('error', () => {}).end('{}\n')
  t.match(await left, { name: 'Refusal', message: /client left/ })
})
