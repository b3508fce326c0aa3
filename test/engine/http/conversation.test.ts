// Whole conversations in both eras, as a client has them.
import { readFileSync } from 'node:fs'
import { REVISIONS } from 'exploration-mcp/engine'
import t from 'tap'
import { SERVER } from '../../../src/config/server-info.js'
import { build, handshake, initialize, legacy, meta, modern, post, speaker, type Rpc } from '../../helpers/build.js'
import { meets } from '../../conformance/requirements.js'

interface Exploration { id: string, title: string, artifact_types: string[] }

const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
const IDENTITY = 'io.modelcontextprotocol/serverInfo'

interface ReviewedTool { name: string, title: string, description: string, inputSchema: object, outputSchema: object, annotations: object }
/** `npm run fresh` writes the file; a change of a tool shows in its diff. */
const REVIEWED: ReviewedTool[] = JSON.parse(readFileSync(new URL('../../planning/tools/tools-list.json', import.meta.url), 'utf8'))

/** The reviewed tools, in the order and form in which a client without views gets them in this revision. */
const toolsIn = (revision: string): string => JSON.stringify(revision >= '2025-06-18'
  ? REVIEWED
  : REVIEWED.map(({ title, outputSchema, annotations, ...tool }) =>
    ({ ...tool, ...(revision >= '2025-03-26' && { annotations: { ...annotations, title } }) })))

t.test('a conversation', async (t) => {
  const { app, key, narrowKey, db, audit, log } = await build(t, { rateLimitReadPerMinute: '5000' })

  await t.test('the handshake negotiates', async (t) => {
    meets('initialize-answer', 'version-same', 'version-other', 'session-id-ascii', 'completions-declared')
    for (const version of [...LEGACY, '2026-07-28', '1999-01-01']) {
      const protocolVersion = LEGACY.includes(version) ? version : '2025-11-25'
      const capabilities = { completions: version === '2024-11-05' ? undefined : {} }
      t.match(await post(app, key, initialize(version, { roots: {} })), {
        status: 200,
        headers: { 'mcp-session-id': /^[\x21-\x7e]+$/ },
        body: { result: { protocolVersion, serverInfo: { name: 'exploration-mcp' }, capabilities, resultType: undefined } }
      })
    }
  })

  await t.test('a session serves, and a notification gets no body', async (t) => {
    meets('accepted', 'notification-no-response', 'ping-empty', 'result-type-absent')
    const session = await handshake(app, key)
    const accepted = await post(app, key, { jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-session-id': session })
    t.match(accepted, { status: 202, text: /^$/ })
    t.strictSame((await legacy(app, key, session, 'ping')).body, { jsonrpc: '2.0', id: 1, result: {} })
  })

  await t.test('each revision gets what it knows, also of what has been made into a reply of another; tools/list byte for byte', async (t) => {
    meets('older-shapes')
    const [{ id: exploration } = { id: '' }] = await db.query<{ id: string }>('select id from explorations limit 1')
    for (const revision of [...REVISIONS, ...REVISIONS]) {
      const ask = await speaker(app, key, revision)
      const isModern = revision === '2026-07-28'
      const more = `,"ttlMs":300000,"cacheScope":"public","_meta":${JSON.stringify({ [IDENTITY]: SERVER })}`
      t.equal((await ask('tools/list')).text,
        `{"jsonrpc":"2.0","id":1,"result":{${isModern ? '"resultType":"complete",' : ''}"tools":${toolsIn(revision)}${isModern ? more : ''}}}`, revision)
      const { result } = (await ask('tools/call', { name: 'get_exploration', arguments: { exploration_id: exploration } })).body
      t.equal('structuredContent' in result, revision >= '2025-06-18', revision)
      if (isModern) t.match(result, { resultType: 'complete', _meta: { 'exploration-mcp/note': /data, not instructions/ } })
      t.equal('title' in (await ask('resources/list')).body.result.resources[0], revision >= '2025-06-18', revision)
    }
  })

  await t.test('the setting HEADER_VALIDATION: served, reported and logged', async (t) => {
    const { app, log } = await build(t, { headerValidation: 'report' }, [], db)
    t.match((await modern(app, key, 'tools/list', {}, { 'mcp-method': 'tools/call' })).headers, { 'mcp-header-mismatch': String })
    t.match(log.join(''), 'served a request whose headers disagree with its body')
  })

  await t.test('batches, in the one revision that has them', async (t) => {
    meets('batch-received', 'batch-no-initialize')
    const headers = { 'mcp-session-id': await handshake(app, key, '2025-03-26') }
    const request = (id: number, method: string) => ({ jsonrpc: '2.0', id, method })
    const { status, body } = await post<Array<Partial<Rpc>>>(app, key,
      [request(1, 'ping'), { jsonrpc: '2.0', method: 'notifications/initialized' }, request(2, 'nothing'), 5, request(3, 'initialize')], headers)
    t.equal(status, 200)
    t.strictSame(body.map(({ id, error }) => [id, error?.code]), [[1, undefined], [2, -32601], [undefined, -32600], [3, -32600]])
    t.equal((await post(app, key, [{ jsonrpc: '2.0', method: 'notifications/initialized' }], headers)).status, 202)
    const refused = { jsonrpc: '2.0', method: 'notifications/x', params: { _meta: meta() } }
    t.equal((await post(app, key, [refused], headers)).status, 400, 'without requests: an error of HTTP')
    t.strictSame((await post(app, key, [refused, request(1, 'ping')], headers)).body, [{ jsonrpc: '2.0', id: 1, result: {} }])
    t.equal((await post(app, key, [], headers)).status, 400)
    t.equal((await post(app, key, Array.from({ length: 51 }, (_, id) => request(id, 'ping')), headers)).status, 400)
  })

  await t.test('the modern era stands on its own', async (t) => {
    meets('discover', 'result-type', 'server-info')
    const result = {
      resultType: 'complete', supportedVersions: [...REVISIONS].reverse(), capabilities: { tools: {}, resources: {}, completions: {} }, ttlMs: 3_600_000, cacheScope: 'public'
    }
    t.match(await modern(app, key, 'server/discover'), { headers: { 'mcp-session-id': undefined }, body: { result } })
    for (const [method, cacheScope] of [['tools/list', 'public'], ['resources/templates/list', 'public'], ['resources/list', 'private']] as const) {
      t.match((await modern(app, key, method)).body.result, {
        resultType: 'complete', ttlMs: Number, cacheScope, _meta: { [IDENTITY]: { name: 'exploration-mcp' } }
      })
    }
    const called = await modern(app, key, 'tools/call', { name: 'ping' })
    t.match(called.body.result, { resultType: 'complete', structuredContent: { status: 'ok' }, ttlMs: undefined })
  })

  await t.test('resources: listed in pages, read, completed', async (t) => {
    meets('cursor-stable', 'resource-scheme', 'cache-private')
    const { body } = await modern(app, key, 'resources/list')
    const uris: string[] = body.result.resources.map(({ uri }: { uri: string }) => uri)
    t.same([uris[0], uris.length], ['service://workspaces', 4])
    t.equal((await modern(app, narrowKey, 'resources/list')).body.result.resources.length, 2)
    const read = async (uri: string) => {
      const { body } = await modern(app, key, 'resources/read', { uri })
      t.equal(body.result.cacheScope, 'private')
      t.equal(body.result.contents[0]!.uri, uri)
      return body.result.contents[0]!
    }
    const { workspaces } = JSON.parse((await read('service://workspaces')).text) as { workspaces: Array<{ id: string, slug: string }> }
    t.equal(workspaces.length, 3)
    const { explorations } = JSON.parse((await read(uris[1]!)).text) as { explorations: Exploration[] }
    const exploration = explorations.find(({ artifact_types: types }) => types.length > 0)!
    t.equal((JSON.parse((await read(`service://exploration/${exploration.id}`)).text) as { title: string }).title, exploration.title)
    t.equal((await read(`service://exploration/${exploration.id}/artifact/${exploration.artifact_types[0]}`)).mimeType, 'text/markdown')

    const complete = async (uri: string, name: string, value: string, known = {}) => {
      const { body } = await modern(app, key, 'completion/complete',
        { ref: { type: 'ref/resource', uri }, argument: { name, value }, context: { arguments: known } })
      return body.result.completion.values
    }
    t.strictSame(
      await complete('service://workspace/{workspaceId}/explorations', 'workspaceId', workspaces[0]!.slug.slice(0, 3).toUpperCase()),
      [workspaces[0]!.id]
    )
    t.ok((await complete('service://exploration/{explorationId}', 'explorationId', exploration.title.slice(0, 5))).includes(exploration.id))
    t.strictSame(await complete('service://exploration/{explorationId}/artifact/{artifactType}', 'artifactType', '', { explorationId: exploration.id }),
      exploration.artifact_types)
    t.strictSame(await complete('service://exploration/{explorationId}', 'explorationId', '%'), [])
  })

  await t.test('a progress token turns the reply into a stream', async (t) => {
    meets('reply-type', 'progress-asked', 'progress-over', 'stream-relates', 'stream-ends', 'unbuffered')
    const params = { name: 'find_explorations', arguments: { query: 'refund' } }
    const whole = await modern(app, key, 'tools/call', params)
    t.match(whole.headers['content-type'], /^application\/json/)
    const { headers, text } = await modern(app, key, 'tools/call', { ...params, _meta: meta({ progressToken: 'p' }) })
    t.match(headers, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    const messages = text.trim().split('\n\n').map((event) => JSON.parse(event.replace(/^event: message\ndata: /, '')))
    t.strictSame(messages.pop().result, whole.body.result)
    t.ok(messages.length > 0)
    for (const message of messages) t.match(message, { method: 'notifications/progress', params: { progressToken: 'p' } })
    const steps: number[] = messages.map(({ params }) => params.progress)
    t.ok(steps.every((step, at) => step > (steps[at - 1] ?? -1)), 'it grows')
  })

  await t.test('what a row of the audit log says of a call', async (t) => {
    const [user] = await db.query<{ id: string }>('select user_id as id from credentials order by created_at limit 1')
    const [exploration] = await db.query<{ id: string, workspace_id: string }>('select id, workspace_id from explorations limit 1')
    await modern(app, key, 'tools/call', { name: 'get_exploration', arguments: { exploration_id: exploration!.id } })
    t.match((await audit.list({ limit: 1 }))[0], {
      user_id: user!.id,
      credential_kind: 'api_key',
      action: 'tools/call get_exploration',
      exploration_id: exploration!.id,
      workspace_id: exploration!.workspace_id,
      outcome: 'ok',
      client: 'test/1',
      duration_ms: Number,
      request_id: /^[0-9a-f-]{36}$/,
      remote_address: '127.0.0.1'
    })
  })

  await t.test('what goes wrong inside stays inside', async (t) => {
    await db.query('alter table recommendations rename to away')
    const { body } = await modern<{ error: { code: number, message: string } }>(app, key, 'tools/call',
      {
        name: 'get_recommendations',
        arguments: { exploration_id: (await db.query<{ id: string }>('select id from explorations limit 1'))[0]!.id }
      })
    await db.query('alter table away rename to recommendations')
    t.equal(body.error.code, -32603)
    t.notMatch(body.error.message, /relation|away|recommendations/)
    const [id] = /[0-9a-f-]{36}/.exec(body.error.message)!
    t.ok(log.some((line) => line.includes(id) && line.includes('unexpected')), 'the operator finds it by the request id')
    t.notOk(log.some((line) => line.includes(key)), 'no secret in the log')
  })
})
