// Who may call a tool: by the scope of the credential (HTTP 403 with a challenge that names, at once, what the operation needs: RFC 6750
// section 3.1), and by what the tool says of its caller.
import { insufficientScope, progress, result, type Principal, type Tool } from 'exploration-mcp/engine'
import t, { type Test } from 'tap'
import { meets } from '../conformance/requirements.js'
import { handshake, legacy, modern, post, type Reply } from '../helpers/build.js'
import { serveApp, type Options } from './serve.js'

interface Caller extends Principal { group: string }

const METADATA = 'https://notes.example/.well-known/oauth-protected-resource/mcp'
const input = { type: 'object', additionalProperties: true } as const
const done = async () => result({ done: true }, 'Done.')
const tool = (name: string, more: Partial<Tool<never, object, Caller>> = {}): Tool<never, object, Caller> =>
  ({ name, description: 'A tool.', input, run: done, ...more })

const tools = [
  tool('read'), tool('write', { scope: 'read_write' }), tool('govern', { scope: 'admin' }),
  tool('publish', {
    async run ({ needs }: { needs?: string }) {
      if (needs !== undefined) throw insufficientScope(needs)
      return await done()
    }
  }),
  tool('stream', {
    async * run ({ late = false }: { late?: boolean }) {
      if (late) yield progress(1, 2, 'Half')
      throw insufficientScope('read_write')
    }
  })
]

const namesIn = ({ body }: Reply): string[] => body.result.tools.map(({ name }: Tool) => name)

/** Bearers are scopes and, after a space, the group of the caller. */
const serve = async (t: Test, options: Options<object, Caller> = {}) => {
  const audited: unknown[] = []
  const app = await serveApp<object, Caller>(t, {
    server: { name: 'notes', version: '1.0.0' },
    tools,
    async authenticate ({ headers: { authorization = '' } }) {
      const [, scope = '', group = ''] = /^Bearer ([\w:+]*) ?(\w*)$/.exec(authorization) ?? []
      if (scope === '') return { reason: 'invalid', hint: 'Authorize.' }
      return { principal: { credential: { id: authorization, scope: scope.replaceAll('+', ' ') }, group } }
    },
    audit: { record: async ({ method, target, outcome }) => { audited.push([method, target, outcome]) } },
    ...options
  })
  const challenged = (reply: Reply) => ({ ...reply, challenge: reply.headers['www-authenticate'] })
  const call = async (name: string, args: object = {}, bearer: string | undefined = 'read') =>
    challenged(await modern(app, bearer, 'tools/call', { name, arguments: args }))
  const session = async () => {
    const id = await handshake(app, 'read')
    return async (name: string, args: object = {}) =>
      challenged(await legacy(app, 'read', id, 'tools/call', { name, arguments: args, _meta: { progressToken: 1 } }))
  }
  const list = (bearer = 'read') => modern(app, bearer, 'tools/list')
  return { app, audited, call, session, list }
}

const challengeFor = (scope: string, error = 'error="insufficient_scope", ') =>
  `Bearer realm="notes", ${error}scope="${scope}", resource_metadata="${METADATA}"`

t.test('a tool beyond the scope of the token: 403, in both eras', async (t) => {
  meets('oauth-insufficient-scope', 'oauth-needed-scope', 'oauth-challenge-stable', 'oauth-scope-hierarchy')
  const { call, session, audited } = await serve(t, { resourceMetadata: () => METADATA })
  const old = await session()
  for (const { status, challenge, body } of [await call('write'), await call('write'), await old('write'), await old('write')]) {
    t.equal(status, 403)
    t.equal(challenge, challengeFor('read_write'), 'the same each time')
    t.match(body, { id: 1, error: { code: 403, message: /read_write/, data: { reason: 'insufficient_scope', scope: 'read_write', hint: String } } })
  }
  t.same(audited, Array(4).fill(['tools/call', 'write', 'forbidden']))
  t.equal((await call('govern', {}, 'read_write')).challenge, challengeFor('admin'))
  for (const [bearer, allowed] of Object.entries({ read: ['read'], read_write: ['read', 'write'], admin: ['read', 'write', 'govern'] })) {
    for (const name of ['read', 'write', 'govern']) {
      t.equal((await call(name, {}, bearer)).status, allowed.includes(name) ? 200 : 403, `${bearer} ${name}: a broader scope has the narrower ones`)
    }
  }
})

t.test('what the arguments decide: all of it in one challenge', async (t) => {
  meets('oauth-one-challenge')
  const { app, call, session } = await serve(t, { resourceMetadata: () => METADATA })
  t.match(await call('publish', { needs: 'read_write notes:publish' }), { status: 403, challenge: challengeFor('read_write notes:publish') })
  t.equal((await call('publish')).status, 200)
  const hostile = await call('publish', { needs: 'a", error="x\r\nset-cookie: y\u00e9' })
  t.equal(hostile.challenge, challengeFor('a, error=xset-cookie: y'), 'nothing leaves the quotes')
  const old = await session()
  for (const reply of [await call('stream'), await old('stream')]) {
    t.match(reply, { status: 403, challenge: challengeFor('read_write') }, 'before the first event')
  }
  t.match(await old('stream', { late: true }), { status: 200, challenge: undefined, text: /insufficient_scope/ }, 'after it the status is sent')
  const batch = ['read', 'write'].map((name, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } }))
  const reply = await post(app, 'read', batch, { 'mcp-session-id': await handshake(app, 'read', '2025-03-26') })
  t.match(reply, { status: 200, body: [{ id: 0, result: {} }, { id: 1, error: { data: { scope: 'read_write' } } }] }, 'each of a batch has its own')
  t.equal(reply.headers['www-authenticate'], undefined)
})

t.test('who may call a tool later sees it: only where clients can ask for more', async (t) => {
  const stepUp = await serve(t, { resourceMetadata: () => METADATA })
  const all = tools.map(({ name }) => name)
  for (const bearer of ['read', 'read_write', 'admin']) t.same(namesIn(await stepUp.list(bearer)), all)
  t.equal((await stepUp.list()).body.result.cacheScope, 'public')
  const fixed = await serve(t)
  t.same([namesIn(await fixed.list()), namesIn(await fixed.list('admin'))], [['read', 'publish', 'stream'], all])
  t.equal((await fixed.list()).body.result.cacheScope, 'private')
  t.match((await fixed.call('none')).body, { error: { code: -32602, message: /tools\/list shows: read, publish, stream\.$/ } })
  t.equal((await fixed.call('write')).challenge, 'Bearer realm="notes", error="insufficient_scope", scope="read_write"')
})

t.test('scopes of the server: they cover themselves, and a first challenge names none', async (t) => {
  const own = [tool('any'), tool('note', { scope: 'notes:publish' }), tool('both', { scope: 'notes:publish mail' })]
  const { app, call, list } = await serve(t, { tools: own, resourceMetadata: () => METADATA })
  const covered = { read: ['any'], mail: ['any'], 'notes:publish': ['any', 'note'], 'mail+notes:publish': ['any', 'note', 'both'], 'mail+admin': ['any', 'note', 'both'] }
  for (const [scope, allowed] of Object.entries(covered)) {
    for (const { name, scope: needed } of own) {
      const { status, body } = await call(name, {}, scope)
      t.match([status, body.error?.data.scope], allowed.includes(name) ? [200, undefined] : [403, needed], `${scope} ${name}`)
    }
  }
  t.equal(namesIn(await list()).length, 3)
  t.match((await call('note')).challenge, 'error="insufficient_scope", scope="notes:publish"')
  const { headers } = await post(app, undefined, { jsonrpc: '2.0', id: 1, method: 'ping' })
  t.equal(headers['www-authenticate'], `Bearer realm="notes", resource_metadata="${METADATA}"`)
})

t.test('the other challenges', async (t) => {
  const { app, list } = await serve(t, { resourceMetadata: () => METADATA })
  const challenge = ({ status, headers }: Reply) => [status, headers['www-authenticate']]
  t.same(challenge(await modern(app, undefined, 'tools/list')), [401, challengeFor('read', '')])
  t.same(challenge(await list('?')), [401, challengeFor('read', 'error="invalid_token", ')])
  const own = await serve(t, { challenge: (_request, neededScope) => `Own ${neededScope ?? 'none'}` })
  t.equal((await own.call('write')).challenge, 'Own read_write')
  t.equal(challenge(await own.list('?'))[1], 'Own none')
  const strict = await serve(t, { authenticate: async () => { throw insufficientScope('notes') } })
  t.match(await strict.list(), {
    status: 403, headers: { 'www-authenticate': /error="insufficient_scope", scope="notes"/ }, body: { error: { data: { scope: 'notes' } } }
  })
})

t.test('a tool that tells its callers apart: for some there is none, some are refused, the others are shown it', async (t) => {
  const open = tool('open')
  const secret = tool('secret', {
    scope: 'read_write',
    input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    access: ({ group }) => group === 'in' ? 'granted' : group === 'out' ? { message: 'Not in this group.', hint: 'Ask for it.' } : 'unknown'
  })
  const { app, call, list } = await serve(t, {
    tools: [open, secret],
    instructions: 'Read.',
    instructionsFor: ({ group, credential }) => group === 'in' && credential.scope !== 'read' ? 'Read and write.' : undefined
  })
  const wanted = (await (await serve(t, { tools: [open] })).list('admin')).text
  for (const bearer of ['read in', 'read out', 'read', 'read_write out', 'read_write', 'admin out', 'admin']) t.equal((await list(bearer)).text, wanted, bearer)
  t.match(wanted, '"cacheScope":"public"')
  for (const bearer of ['read_write in', 'admin in']) {
    t.same(namesIn(await list(bearer)), ['open', 'secret'])
    t.equal((await list(bearer)).body.result.cacheScope, 'private', 'no cache gives it to others')
  }
  const unknown = { body: { error: { code: -32602, message: 'There is no tool of this name. tools/list shows: open.' } } }
  for (const bearer of ['read', 'admin']) t.match(await call('secret', {}, bearer), unknown, 'first whether there is one')
  for (const bearer of ['read in', 'read out']) t.match(await call('secret', {}, bearer), { status: 403, challenge: /scope="read_write"/ }, 'then the scope')
  t.match(await call('secret', {}, 'admin out'), {
    status: 403, challenge: undefined, body: { error: { message: 'Not in this group.', data: { hint: 'Ask for it.' } } }
  }, 'then the access')
  t.match(await call('secret', {}, 'read_write in'), { status: 200, body: { result: { isError: true } } }, 'then the arguments')
  t.match(await call('secret', { text: 'x' }, 'read_write in'), { body: { result: { structuredContent: { done: true } } } })

  const instructions = async (bearer: string) => (await modern(app, bearer, 'server/discover')).body
  for (let again = 0; again < 2; again++) {
    t.match(await instructions('read_write in'), { result: { instructions: 'Read and write.', cacheScope: 'private' } })
    t.match(await instructions('read in'), { result: { instructions: 'Read.', cacheScope: 'public' } })
  }
})
