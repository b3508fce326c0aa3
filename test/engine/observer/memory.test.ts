// @any-node: counts what values hold
// What the observer keeps of a conversation does not grow with what was sent in it.
import t from 'tap'
import { newLegacySessionState, type LegacySessionState } from '../../../src/engine/observer/observed-state.js'
import { checkLegacy, type LegacyMemory } from '../../../src/engine/observer/legacy-checks.js'
import { clientRegistry } from '../../../src/engine/observer/client-registry.js'
import { parseExchange } from '../../../src/engine/observer/parsed-exchange.js'
import type { ObservedCaller } from '../../../src/engine/observer/observed-state.js'
import type { WireExchange } from '../../../src/engine/traffic/wire-exchange.js'

const LARGE = 'x'.repeat(1_000_000)
const ROOTS = { roots: { x: LARGE } }

/** The characters of all strings and 8 for each other value that can be reached. */
const sizeOf = (root: unknown): number => {
  const found = new Set<unknown>()
  const waiting = [root]
  let size = 0
  for (let value = waiting.pop(); waiting.length > 0 || value !== undefined; value = waiting.pop()) {
    size += typeof value === 'string' ? value.length : 8
    if (typeof value !== 'object' || value === null || found.has(value)) continue
    found.add(value)
    const parts = value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : Object.entries(value).flat()
    waiting.push(...parts.filter((part) => part !== undefined))
  }
  return size
}

const fixture = () => {
  const memory: LegacyMemory = { sessions: new Map<string, LegacySessionState>() }
  const client = clientRegistry(() => {}).findOrCreate({ name: 'n', version: '1' }, undefined, 0)
  const caller: ObservedCaller = {
    key: 'k',
    client,
    handshakeDone: true,
    session: undefined,
    refusedVersions: new Set(),
    ids: new Map(),
    tokens: new Map()
  }
  const exchange = (session: string, body: unknown): WireExchange => ({
    at: 1,
    durationMs: 1,
    requestId: 'r',
    credential: 'c',
    method: 'POST',
    url: '/mcp',
    headers: { 'mcp-session-id': session },
    body: JSON.stringify(body),
    status: 200,
    replyHeaders: {},
    reply: undefined,
    events: undefined
  })
  const send = (session: string, body: unknown): void =>
    checkLegacy(memory, parseExchange(exchange(session, body)), caller, () => {})
  return { memory, caller, send }
}

t.test('large answers, capabilities, ids and tokens', async (t) => {
  const { memory, caller, send } = fixture()
  const params = { protocolVersion: '2025-11-25', capabilities: ROOTS, clientInfo: {} }
  send('s', { jsonrpc: '2.0', id: 0, method: 'initialize', params })
  for (let id = 0; id < 80; id++) {
    send('s', { jsonrpc: '2.0', id, result: { action: 'accept', content: { x: LARGE } } })
    send('s', {
      jsonrpc: '2.0',
      id: `${id}${LARGE.slice(0, 1000)}`,
      method: 'ping',
      params: { _meta: { progressToken: `${id}${LARGE}` } }
    })
  }
  t.ok(sizeOf([memory, caller]) < 50_000, `${sizeOf([memory, caller])} characters of 160 million`)
})

t.test('many conversations', async (t) => {
  const { memory, caller, send } = fixture()
  const full = (): LegacySessionState =>
    newLegacySessionState(caller.client, { ids: new Map(Array.from({ length: 1000 }, (_, id) => [`${id}`, true])) })
  for (let n = 0; n < 1000; n++) memory.sessions.set(`${n}`, full())
  send('s', { jsonrpc: '2.0', id: 1, method: 'ping' })
  const entries = [...memory.sessions.values()]
    .reduce((sum, { ids, tokens, answers }) => sum + ids.size + tokens.size + answers.size, 0)
  t.ok(entries <= 200_000, `${entries} entries`)
  t.ok(memory.sessions.has('999') && !memory.sessions.has('0'), 'the oldest went')
})
