// What the hosted benches share: servers in processes of their own, and the requests of eight keys for all records that they see.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Pool } from 'undici'
import { openBackend } from '../../.test-build/src/server/open-backend.js'
import { readConfig } from '../../.test-build/src/config.js'

const KEYS = 8
// Access tokens are for one address. Nothing listens there; requests go to the ports of the contenders.
const PUBLIC_URL = 'http://localhost:8080'
const CONNECTIONS = 32
const MODERN = '2026-07-28'
const LEGACY = '2025-11-25'
const CLIENT = { name: 'bench', version: '1' }
const META = { 'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': {}, 'io.modelcontextprotocol/clientInfo': CLIENT }

const env = { DATABASE_URL: process.env.TEST_DATABASE_URL, VALKEY_URL: process.env.TEST_VALKEY_URL, PUBLIC_URL }

/** An access token of a new connection of this user. */
const connect = async ({ web: { oauthGrants } }, user, n) => {
  const verifier = 'v'.repeat(43)
  const client = { id: `https://bench.example/${n}`, kind: 'document', name: `bench ${n}`, host: 'bench.example', uri: null }
  const code = await oauthGrants.createCode({
    userId: user.id,
    client,
    redirectUri: 'https://bench.example/cb',
    challenge: createHash('sha256').update(verifier).digest('base64url'),
    resource: `${PUBLIC_URL}/oauth/mcp`,
    refreshable: false,
    workspaceIds: null,
    scope: 'read',
    by: user.email
  })
  return (await oauthGrants.redeem({ code, clientId: client.id, verifier, redirectUri: undefined, resource: undefined })).accessToken
}

/** Sample data, keys and access tokens that see it, and the ids of what they see. */
export const prepare = async () => {
  const backend = await openBackend(readConfig(env), undefined)
  await backend.importRecords(createReadStream(new URL('../../src/planning/sample.ndjson', import.meta.url)), () => {})
  const [user] = (await backend.directory.listUsers()).sort((one, other) => other.memberships - one.memberships)
  const keys = []
  for (let n = 0; n < KEYS; n++) keys.push((await backend.credentials.createKey({ user: user.id, name: `bench ${n}`, scope: 'admin' })).key)
  const tokens = []
  for (let n = 0; n < KEYS; n++) tokens.push(await connect(backend, user, n))
  const { principal: { workspaces } } = await backend.credentials.verify(keys[0])
  const ids = []
  for (const workspace of workspaces) ids.push(...(await backend.store.explorations.list(workspace, { limit: 100 })).items.map(({ id }) => id))
  await backend.close()
  return { keys, tokens, ids }
}

const headersOf = (key) => ({ 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: `Bearer ${key}` })

const callOf = (exploration, extra) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...extra, name: 'get_exploration', arguments: { exploration_id: exploration } } })

export const initialize = (key) => ({
  headers: headersOf(key),
  body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: LEGACY, capabilities: {}, clientInfo: CLIENT } })
})

const modernCallsWith = (secrets, ids, path) => ids.map((id, n) => ({
  path,
  headers: { ...headersOf(secrets[n % KEYS]), 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'get_exploration' },
  body: callOf(id, { _meta: META })
}))

/** Each record with the next key. */
export const modernCalls = ({ keys, ids }) => modernCallsWith(keys, ids, '/mcp')

/** Each record with the next access token. */
export const oauthCalls = ({ tokens, ids }) => modernCallsWith(tokens, ids, '/oauth/mcp')

/** The same, each key in a session of its own. */
export const legacyCalls = async ({ keys, ids }, { send }) => {
  const sessions = []
  for (const key of keys) sessions.push((await send(initialize(key))).headers['mcp-session-id'])
  return ids.map((id, n) => ({
    headers: { ...headersOf(keys[n % KEYS]), 'mcp-session-id': sessions[n % KEYS], 'mcp-protocol-version': LEGACY },
    body: callOf(id, {})
  }))
}

export const clientOf = (port) => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS, pipelining: 1 })
  return {
    async send ({ path = '/mcp', headers, body }) {
      const reply = await pool.request({ method: 'POST', path, headers, body })
      return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() }
    },
    close: () => pool.close()
  }
}

/**
 * @param {'bare' | 'nearest' | 'floor' | 'product'} kind
 * @param {NodeJS.ProcessEnv} addresses of its database and Valkey
 */
export const start = async (kind, addresses = env) => {
  // BASIC: for `perf record`. BENCH_PROFILE: a folder for profiles of each thread.
  const { BASIC, BENCH_PROFILE: profile } = process.env
  const child = fork(new URL('hosted-contender.mjs', import.meta.url), [kind], {
    env: { ...process.env, ...addresses },
    execArgv: [
      '--expose-gc', '--no-warnings', ...BASIC ? ['--perf-basic-prof', '--interpreted-frames-native-stack'] : [],
      ...profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
    ]
  })
  const [{ port }] = await once(child, 'message')
  const client = clientOf(port)
  return {
    port,
    send: client.send,
    async ask (question) {
      child.send(question)
      return (await once(child, 'message'))[0]
    },
    async stop () {
      await client.close()
      child.kill()
    }
  }
}

/** Sends the requests in turn, as many at a time as there are connections; gives the milliseconds of each, sorted. */
export const load = async ({ send }, requests, count) => {
  const times = []
  let left = count
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    while (left-- > 0) {
      const begun = performance.now()
      const { status, text } = await send(requests[left % requests.length])
      if (status !== 200) throw new Error(`answered ${status}: ${text}`)
      times.push(performance.now() - begun)
    }
  }))
  return times.sort((one, other) => one - other)
}

/** CPU time of the server in µs a request, the 99th percentile in ms, and requests a second. */
const measure = async ({ server, requests }, count) => {
  const { cpu: before } = await server.ask('cpu')
  const begun = performance.now()
  const times = await load(server, requests, count)
  const seconds = (performance.now() - begun) / 1000
  return { cpu: ((await server.ask('cpu')).cpu - before) / count, p99: times[Math.floor(times.length * 0.99)], rate: count / seconds }
}

export const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]

/**
 * Measures contenders in turn, `rounds` times after one to warm up. Each gets `rounds`, and of each figure the median.
 * @param {Array<{ server: object, requests: object[] }>} contenders
 */
export const interleave = async (contenders, rounds, count) => {
  for (const contender of contenders) {
    await measure(contender, count)
    contender.rounds = []
  }
  for (let n = 0; n < rounds; n++) {
    for (const contender of contenders) contender.rounds.push(await measure(contender, count))
  }
  for (const contender of contenders) {
    for (const figure of ['cpu', 'p99', 'rate']) contender[figure] = median(contender.rounds.map((one) => one[figure]))
  }
}
