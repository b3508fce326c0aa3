// 403 for a record of a workspace that a valid credential cannot see: every way to name one, every kind of credential, at the next call.
// @any-node: who sees what
import t, { type Test } from 'tap'
import { readingTools as tools } from '../helpers/reading-tools.js'
import { meets } from '../conformance/requirements.js'
import { build, handshake, legacy, modern, post, type Reply } from '../helpers/build.js'
import { idOf, sample, of, workspaceId } from '../helpers/planning.js'
import { callMcp, connect, request } from '../helpers/oauth.js'
import { ORIGIN, webServer } from '../helpers/web.js'
import { wire } from '../helpers/wire.js'

interface Refused { error: { code: number, message: string, data: { hint: string } } }
const FOREIGN = idOf('Quarantine')
const NOBODYS = '00000000-0000-4000-8000-000000000000'
const SEEN = workspaceId('tillpoint')
const kiln = of(sample, 'workspace').find(({ slug }) => slug === 'kiln')!

/** Every request that names one exploration and is answered with its data. */
const reads = (id: string): Array<[method: string, params: Record<string, unknown>]> => [
  ...tools.filter(({ input }) => JSON.stringify(input).includes('exploration_id')).map(({ name }): [string, Record<string, unknown>] =>
    ['tools/call', { name, arguments: { exploration_id: id, ...(name === 'get_requirement_package' && { artifact_type: 'design' }) } }]),
  ['resources/read', { uri: `service://exploration/${id}` }],
  ['resources/read', { uri: `service://exploration/${id}/artifact/design` }]
]

const isRefused = (t: Test, { status, body, text }: Pick<Reply<Refused>, 'status' | 'body' | 'text'>, what: string): void => {
  t.equal(status, 403, what)
  t.match(body, { jsonrpc: '2.0', id: 1, error: { code: 403, message: /cannot see.* admin of that workspace can add a member/, data: { hint: String } } }, what)
  for (const told of [kiln.name, kiln.slug, kiln.id, FOREIGN]) t.notOk(text.includes(told), `${what}: nothing of the workspace is told`)
}

const { app, narrowKey, people, credentials } = await build(t)
const [widest, narrow] = (await people.listUsers()).sort((one, other) => other.memberships - one.memberships)
const { key: limited } = await credentials.createKey({ user: widest!.id, name: 'limited', scope: 'read', workspaces: [SEEN] })
const session = await handshake(app, limited)

t.test('a key limited to some workspaces, both eras', async (t) => {
  meets('tool-access', 'resource-access')
  for (const id of [FOREIGN, FOREIGN.toUpperCase()]) {
    for (const [method, params] of reads(id)) {
      const what = `${method} ${String(params['name'] ?? params['uri'])}`
      isRefused(t, await modern<Refused>(app, limited, method, params), `modern ${what}`)
      isRefused(t, await legacy<Refused>(app, limited, session, method, params), `legacy ${what}`)
    }
  }
  for (const [method, params] of reads(NOBODYS)) {
    const expected = method === 'tools/call'
      ? { status: 200, body: { result: { isError: true, content: [{ text: /There is no exploration with this id/ }] } } }
      : { status: 400, body: { error: { code: -32602 } } }
    t.match(await modern(app, limited, method, params), expected, 'an id that no one has')
  }
})

t.test('in a batch the message carries the error alone', async (t) => {
  t.equal(narrow!.memberships, 1)
  const session = await handshake(app, narrowKey, '2025-03-26')
  const foreign = (await Promise.all(['Quarantine', 'Pay in instalments'].map(async (title) => {
    const { status } = await modern(app, narrowKey, 'resources/read', { uri: `service://exploration/${idOf(title)}` })
    return status === 403 ? [idOf(title)] : []
  }))).flat()[0]!
  const reply = await post<Array<Partial<Refused> & { id: number, result?: object }>>(app, narrowKey, [
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ping', arguments: {} } },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'get_exploration', arguments: { exploration_id: foreign } } },
    { jsonrpc: '2.0', id: 3, method: 'resources/read', params: { uri: `service://exploration/${foreign}` } }
  ], { 'mcp-session-id': session })
  t.equal(reply.status, 200)
  t.match(reply.body.sort((one, other) => one.id - other.id), [
    { id: 1, result: {} }, { id: 2, error: { code: 403, message: /can add a member/ } }, { id: 3, error: { code: 403 } }
  ])
})

t.test('subscriptions leave it out, completion shows nothing of it', async (t) => {
  const uri = (id: string): string => `service://exploration/${id}`
  t.match(await legacy(app, limited, session, 'resources/subscribe', { uri: uri(FOREIGN) }), { status: 200, body: { error: { code: -32002 } } })
  const stream = await (await wire(t, app, limited)).modern(
    'subscriptions/listen', { notifications: { resourceSubscriptions: [uri(FOREIGN), uri(idOf('Pay in instalments'))] } })
  t.match(await stream.message(), { params: { notifications: { resourceSubscriptions: [uri(idOf('Pay in instalments'))] } } })
  stream.close()
  const ref = { type: 'ref/resource', uri: 'service://exploration/{explorationId}/artifact/{artifactType}' }
  for (const [argument, context] of [
    [{ name: 'artifactType', value: '' }, { arguments: { explorationId: FOREIGN } }],
    [{ name: 'explorationId', value: FOREIGN.slice(0, 8) }, {}]
  ]) {
    t.match(await modern(app, limited, 'completion/complete', { ref, argument, context }), { status: 200, body: { result: { completion: { values: [] } } } })
  }
})

t.test('a membership given or taken counts at the next call', async (t) => {
  const { key } = await credentials.createKey({ user: widest!.id, name: 'whole', scope: 'read' })
  const statuses = async (): Promise<number[]> => {
    const answers = []
    for (const [method, params] of reads(FOREIGN)) answers.push((await modern(app, key, method, params)).status)
    return [...new Set(answers)]
  }
  const workspace = workspaceId('kiln')
  for (let time = 0; time < 2; time++) {
    t.notOk((await statuses()).includes(403))
    await people.removeMember({ user: widest!.id, workspace })
    t.same(await statuses(), [403])
    await people.addMember({ user: widest!.id, workspace, role: 'viewer' })
  }
})

t.test('a connection narrowed to a workspace', async (t) => {
  const server = await webServer(t, { publicUrl: ORIGIN }, undefined, { clientDocuments: { resolve: async () => [] } })
  const { access_token: token } = await connect(server.app, await server.signIn(server.wide.id), request(), [SEEN])
  for (const [method, params] of reads(FOREIGN)) {
    isRefused(t, await callMcp<Refused>(server.app, token, method, params), `${method} ${String(params['name'] ?? params['uri'])}`)
  }
})
