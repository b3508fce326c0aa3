/**
 * Tries a credential as an agent would: handshakes of both eras of the protocol with this server's own endpoint, and
 * the list of tools, and what the credential reads.
 */
import type { ResponseOf } from './operation.js'
import type { PageOperations } from './operations.js'
import { eventDataIn } from '../lib/json/event-data.js'
import { isObject, parseObject } from '../lib/json/json-object.js'
import { pluralize } from '../lib/text/text.js'
import { SERVER } from '../config/server-info.js'

const ACCEPTED = 'The server accepts the credential.'

type ConnectionTest = ResponseOf<PageOperations['POST /keys/test']>
type TestStep = ConnectionTest['steps'][number]

/** Sends a request to this process's own server without a connection. */
export type LoopbackRequest = (request: {
  method: 'POST' | 'DELETE'
  url: string
  headers: Record<string, string>
  remoteAddress: string
  payload?: string
}) => Promise<{ statusCode: number, headers: Record<string, unknown>, body: string }>

export interface CheckedFrom {
  /** The address of the person, which counts for the limits of wrong credentials. */
  remoteAddress: string
  /** The Host that the person's browser sent. */
  host: string | undefined
}

export interface CredentialCheckDeps { inject: LoopbackRequest, revisions: readonly string[] }

const MODERN = '2026-07-28'
const LEGACY = '2025-11-25'
/** As the test names itself: its calls are none of an agent. */
export const CLIENT = { name: 'exploration-mcp web application', version: SERVER.version }

interface RpcReply { status: number, session: string | undefined, result?: Record<string, unknown>, problem?: string }

/**
 * Runs the steps until one fails. The calls count for the limits of the credential and are in the audit log like any
 * others.
 */
export const checkCredential = async (
  { inject, revisions }: CredentialCheckDeps, secret: string, { remoteAddress, host = 'localhost' }: CheckedFrom
): Promise<ConnectionTest> => {
  const started = performance.now()
  const steps: TestStep[] = []
  let tools: string[] = []
  let reads: ConnectionTest['reads'] = null
  const send = createSender(inject, { authorization: `Bearer ${secret}`, host }, remoteAddress)

  const step = async (
    name: string, ask: () => Promise<RpcReply>, detail: (result: Record<string, unknown>) => string
  ): Promise<RpcReply | undefined> => {
    const reply = await ask()
    const ok = reply.problem === undefined
    steps.push({ name, ok, detail: reply.problem ?? detail(reply.result ?? {}) })
    return ok ? reply : undefined
  }

  const listTools = (
    revision: string, session?: string
  ) => step(`List tools (${revision})`, () => send('tools/list', {}, revision, session), (result) => {
    tools = namesOf(result['tools'])
    return `${tools.length} tools.`
  })

  const readWorkspaces = async (revision: string, session?: string): Promise<boolean> => {
    const seen = { workspaces: 0, explorations: 0 }
    const addPage = async (cursor?: string): Promise<RpcReply> => {
      const params = { name: 'list_workspaces', arguments: { limit: 100, ...(cursor !== undefined && { cursor }) } }
      const reply = await send('tools/call', params, revision, session)
      const page = reply.result?.['structuredContent']
      const listed = isObject(page) ? page['workspaces'] : undefined
      if (!isObject(page) || !Array.isArray(listed)) return { problem: 'The server listed no workspaces.', ...reply }
      seen.workspaces += listed.length
      for (const one of listed) if (isObject(one)) seen.explorations += Number(one['exploration_count'])
      const next = page['next_cursor']
      return typeof next === 'string' ? addPage(next) : reply
    }
    const answer = await step(`Read workspaces (${revision})`, addPage, () =>
      `${pluralize(seen.workspaces, 'workspace')}, ${pluralize(seen.explorations, 'exploration')}.`)
    if (answer) reads = seen
    return answer !== undefined
  }

  const modern = async (): Promise<boolean> => {
    const discovered = await step(
      `Handshake (${MODERN})`, () => send('server/discover', {}, MODERN), () => ACCEPTED)
    return discovered !== undefined && await listTools(MODERN) !== undefined && await readWorkspaces(MODERN)
  }

  const legacy = async (revision: string): Promise<boolean> => {
    const params = { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT }
    const handshake = await step(`Handshake (${revision})`, () => send('initialize', params, undefined), () => ACCEPTED)
    if (!handshake) return false
    const { session } = handshake
    const ok = await listTools(revision, session) !== undefined &&
      (reads !== null || await readWorkspaces(revision, session))
    if (session !== undefined) await send.end(session)
    return ok
  }

  const eras = [
    ...(revisions.includes(MODERN) ? [modern] : []),
    ...revisions.filter((revision) => revision !== MODERN).sort().slice(-1).map((revision) => () => legacy(revision))
  ]
  let ok = eras.length > 0
  for (const era of eras) {
    ok = await era()
    if (!ok) break
  }
  return { ok, steps, tools, reads, duration_ms: Math.round(performance.now() - started) }
}

const createSender = (inject: LoopbackRequest, base: Record<string, string>, remoteAddress: string) => {
  const headers = { ...base, accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': CLIENT
  }
  const send = async (
    method: string, params: object, revision: string | undefined, session?: string
  ): Promise<RpcReply> => {
    const isModern = revision === MODERN
    const reply = await inject({
      method: 'POST',
      url: '/mcp',
      remoteAddress,
      headers: {
        ...headers,
        ...(revision !== undefined && { 'mcp-protocol-version': revision }),
        ...(isModern && { 'mcp-method': method }),
        ...(isModern && 'name' in params && { 'mcp-name': String(params.name) }),
        ...(session !== undefined && { 'mcp-session-id': session })
      },
      payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: isModern ? { _meta: meta, ...params } : params })
    })
    return readReply(reply)
  }
  return Object.assign(send, {
    end: (session: string) => inject({
      method: 'DELETE',
      url: '/mcp',
      remoteAddress,
      headers: { ...base, 'mcp-session-id': session, 'mcp-protocol-version': LEGACY }
    })
  })
}

const readReply = ({ statusCode: status, headers, body }: Awaited<ReturnType<LoopbackRequest>>): RpcReply => {
  const session = headers['mcp-session-id']
  const base = { status, session: typeof session === 'string' ? session : undefined }
  const message = messageIn(body)
  const { result, error } = message
  if (isObject(result)) return { ...base, result }
  return { ...base, problem: problemOf(status, isObject(error) ? error : message) }
}

/** The sentence of the error, with its hint where there is one. */
const problemOf = (status: number, { message, detail, data }: Record<string, unknown>): string => {
  const hint = isObject(data) ? data['hint'] : undefined
  const sentence = [message, detail].find((text) => typeof text === 'string') ?? 'The server answered with status ' +
    `${status}.`
  return typeof hint === 'string' ? `${sentence} ${hint}` : String(sentence)
}

/** A JSON-RPC message, also when it comes as the last event of a stream. */
const messageIn = (body: string): Record<string, unknown> =>
  parseObject(body.startsWith('{') ? body : eventDataIn(body).at(-1) ?? '') ?? {}

const namesOf = (tools: unknown): string[] =>
  !Array.isArray(tools)
    ? []
    : tools.flatMap((tool: unknown) => isObject(tool) && typeof tool['name'] === 'string' ? [tool['name']] : [])
