/** The whole server on an in-memory database with the sample data, for tests that come through the front door. */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import type { Config } from '../../src/config/config.js'
import { backendOn } from '../../src/server/backend.js'
import { buildApp } from '../../src/server/build-app.js'
import type { ServerDeps } from '../../src/server/dependencies.js'
import { encodeHeaderValue } from '../../src/engine/eras/modern/header-value.js'
import { testConfig, type TestFlags } from './config.js'
import type { sqlAuditLog } from '../../src/db/audit/sql-audit.js'
import type { sqlCredentials } from '../../src/db/credentials/sql-credentials.js'
import type { Database } from '../../src/db/sql/database.js'
import { keywordSearch } from './find-by-words.js'
import { sharedEmbedders } from './shared-embedders.js'
import { sqlSearch } from '../../src/search/ranking/sql-search.js'
import { sqlStore } from '../../src/db/planning/sql-store.js'
import type { Search } from '../../src/planning/store.js'
import type { ExchangeListener } from '../../src/engine/traffic/wire-exchange.js'
import { sampleDatabase } from './database.js'

export const MODERN = '2026-07-28'
export const BOTH = 'application/json, text/event-stream'

/** A response or its error: of each method and kind another. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look only at what they asked for
export interface Rpc { id?: unknown, result: any, error: { code: number, message: string, data: any } }
export interface Reply<Body = Rpc> { status: number, headers: LightMyRequestResponse['headers'], body: Body, text: string }

export type Server = Awaited<ReturnType<typeof build>>

/** Another one on the same database is another replica. No pages; searches by words alone, unless another search is given. */
export const build = async (
  t: Test, flags: TestFlags = {}, onlookers: readonly ExchangeListener[] = [], shared?: Database, search?: Search,
  parts: Partial<ServerDeps> = {}
) => {
  const db = shared ?? await sampleDatabase(t)
  const config = testConfig(flags)
  const { web: _, ...backend } = await backendOn({ ...db, close: async () => {} }, config, undefined, sharedEmbedders(config))
  const { app, log } = await appOf(t, config, backend, {
    store: sqlStore(db, search ?? keywordSearch(sqlSearch(db))),
    exchangeListeners: onlookers,
    ...flags.sessionSecret !== undefined && { sessionSecret: String(flags.sessionSecret) },
    ...parts
  })
  const { credentials, directory: people, audit, planChanges } = backend as typeof backend & {
    credentials: ReturnType<typeof sqlCredentials>, audit: ReturnType<typeof sqlAuditLog>
  }
  const users = (await people.listUsers()).sort((one, other) => other.memberships - one.memberships)
  const keyFor = async (user: string) => (await credentials.createKey({ user, name: 'test', scope: 'read' })).key
  /** Read keys of the user who sees all three workspaces, and of the one who sees one. */
  const [key, narrowKey] = [await keyFor(users[0]!.id), await keyFor(users[1]!.id)]
  return { app, db, people, credentials, audit, planChanges, log, key, narrowKey }
}

/** A server on the ports of a backend, and what it logs; both end with the test. */
export const appOf = async (
  t: Test, config: Config, backend: Omit<ServerDeps, 'sessionSecret'> & { close (): Promise<void> }, parts: Partial<ServerDeps> = {}
): Promise<{ app: FastifyInstance, log: string[] }> => {
  const log: string[] = []
  const app = await buildApp(config, {
    ...backend,
    sessionSecret: 'a secret of the tests, long enough to be one',
    logDestination: { write: (line) => { log.push(line) } },
    ...parts
  })
  t.teardown(async () => {
    await app.close()
    await backend.close()
  })
  return { app, log }
}

/** What a modern request carries. */
export const meta = (extra: Record<string, unknown> = {}) => ({
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  ...extra
})

/** The same, of a client with these capabilities. */
export const able = (capabilities: object, extra: Record<string, unknown> = {}) =>
  meta({ 'io.modelcontextprotocol/clientCapabilities': capabilities, ...extra })

/** The first request of a legacy session. */
export const initialize = (protocolVersion = '2025-11-25', capabilities: object = {}) =>
  ({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion, capabilities, clientInfo: { name: 'old', version: '1' } } })

type Headers = Record<string, string | undefined>

/** Sends a body as it stands; a header that is undefined is left out. */
export const post = async <Body = Rpc>(
  app: FastifyInstance, key: string | undefined, payload: unknown, headers: Headers = {}, url = '/mcp'
): Promise<Reply<Body>> => {
  const all: Headers = {
    host: 'localhost',
    'content-type': 'application/json',
    accept: BOTH,
    authorization: key === undefined ? undefined : `Bearer ${key}`,
    ...headers
  }
  const response = await app.inject({
    method: 'POST',
    url,
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<string, string>,
    payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload)
  })
  return replyOf(response)
}

export const replyOf = <Body>(response: LightMyRequestResponse): Reply<Body> => ({
  status: response.statusCode,
  headers: response.headers,
  text: response.body,
  body: (/^application\/(?:problem\+)?json/.test(String(response.headers['content-type'])) ? JSON.parse(response.body) : {}) as Body
})

/**
 * A modern request with the headers that mirror it, for any client: the one place that builds them. Without a key it has
 * no credential.
 */
export const modernRequest = (
  key: string | undefined, method: string, params: Record<string, unknown> = {}, id: string | number = 1
): { method: 'POST', headers: Record<string, string>, body: string } => {
  const target = params['name'] ?? params['uri'] ?? params['taskId']
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: BOTH,
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof target === 'string' && method !== 'completion/complete' && { 'mcp-name': encodeHeaderValue(target) }),
      ...(key !== undefined && { authorization: `Bearer ${key}` })
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { _meta: meta(), ...params } })
  }
}

/** A modern call of a tool, for the same. */
export const toolCall = (key: string, name: string, args: object = {}, extra: Record<string, unknown> = {}) =>
  modernRequest(key, 'tools/call', { name, arguments: args, _meta: meta(extra) })

/** A request of the modern era with the headers that mirror it. */
export const modern = <Body = Rpc>(
  app: FastifyInstance, key: string | undefined, method: string, params: Record<string, unknown> = {},
  headers: Headers = {}
): Promise<Reply<Body>> => {
  const request = modernRequest(key, method, params)
  return post(app, key, request.body, { ...request.headers, ...headers })
}

/** The handshake of a legacy revision; answers the session's id. */
export const handshake = async (
  app: FastifyInstance, key: string | undefined, protocolVersion?: string, capabilities?: object
): Promise<string> => String((await post(app, key, initialize(protocolVersion, capabilities))).headers['mcp-session-id'])

export const legacy = <Body = Rpc>(
  app: FastifyInstance, key: string | undefined, session: string | undefined, method: string, params: Record<string, unknown> = {},
  headers: Headers = {}
): Promise<Reply<Body>> =>
    post(app, key, { jsonrpc: '2.0', id: 1, method, params }, { 'mcp-session-id': session, ...headers })

/** Asks in a revision: in a session of its own, or with what a modern request carries. */
export const speaker = async (app: FastifyInstance, key: string | undefined, revision: string, capabilities: object = {}) => {
  const session = revision === MODERN ? undefined : await handshake(app, key, revision, capabilities)
  return <Body = Rpc>(method: string, params: Record<string, unknown> = {}, headers?: Headers): Promise<Reply<Body>> =>
    session === undefined
      ? modern(app, key, method, { _meta: able(capabilities), ...params }, headers)
      : legacy(app, key, session, method, params, headers)
}

/** Asks in the newest revision of each era. */
export const bothEras = (app: FastifyInstance, key: string | undefined) =>
  Promise.all(['2025-11-25', MODERN].map((revision) => speaker(app, key, revision)))
