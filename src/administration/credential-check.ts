/** Tries a credential at this server's own endpoint as an agent would: handshakes of both eras, tools, a read. */
import type { ResponseOf } from './operation.js'
import type { PageOperations } from './operations.js'
import {
  headersFor, initializeRequest, inSession, legacyRequest, modernRequest, type McpRequest
} from '../agent-setup/doctor/mcp-client.js'
import { eventDataIn } from '../lib/json/event-data.js'
import { asObject, isObject, parseObject } from '../lib/json/json-object.js'
import { pluralize } from '../lib/text/text.js'
import type { Config } from '../config/config.js'
import { SERVER } from '../config/server-info.js'

type MakeRequest = (method: string, params: Record<string, unknown>) => McpRequest
type ConnectionTest = ResponseOf<PageOperations['POST /keys/test']>

/** Sends a request to this process's own server without a connection. */
export type LoopbackRequest = (request: {
  method: 'POST' | 'DELETE'
  url: string
  headers: Record<string, string>
  /** The address of the person, which counts for the limits of wrong credentials. */
  remoteAddress: string
  payload?: string
}) => Promise<{ statusCode: number, headers: Record<string, unknown>, body: string }>

const MODERN = '2026-07-28'
/** As the test names itself: its calls are none of an agent. */
export const CLIENT = { name: 'exploration-mcp web application', version: SERVER.version }

/** With a sentence for the person. */
class StepFailed extends Error {}

/**
 * Runs the steps until one fails. The calls count for the limits of the credential and are in the audit log like any
 * others. `host` is what the person's browser sent.
 */
export const checkCredential = async (
  { inject, config: { revisions } }: { inject: LoopbackRequest, config: Pick<Config, 'revisions'> }, secret: string,
  { remoteAddress, host = 'localhost' }: { remoteAddress: string, host: string | undefined }
): Promise<ConnectionTest> => {
  const started = performance.now()
  const steps: ConnectionTest['steps'] = []
  let tools: string[] = []
  let reads: ConnectionTest['reads'] = null
  const send = (method: 'POST' | 'DELETE', { headers, body }: McpRequest) => inject({
    method,
    url: '/mcp',
    remoteAddress,
    headers: { ...headersFor(secret), host, ...headers },
    ...body && { payload: JSON.stringify(body) }
  })
  const ask = async (request: McpRequest) => readReply(await send('POST', request))

  const step = async <T>(name: string, work: () => Promise<T>, detail: (made: T) => string): Promise<T> => {
    try {
      const made = await work()
      steps.push({ name, ok: true, detail: detail(made) })
      return made
    } catch (error) {
      if (error instanceof StepFailed) steps.push({ name, ok: false, detail: error.message })
      throw error
    }
  }

  const readWorkspaces = async (make: MakeRequest) => {
    const seen = { workspaces: 0, explorations: 0 }
    let cursor: unknown
    do {
      const params = { name: 'list_workspaces', arguments: { limit: 100, ...(cursor !== undefined && { cursor }) } }
      const { result } = await ask(make('tools/call', params))
      const { workspaces, next_cursor: next } = asObject(result['structuredContent'])
      if (!Array.isArray(workspaces)) throw new StepFailed('The server listed no workspaces.')
      seen.workspaces += workspaces.length
      for (const one of workspaces) seen.explorations += Number(asObject(one)['exploration_count'])
      cursor = next
    } while (cursor !== undefined)
    return seen
  }

  const tryEra = async (revision: string): Promise<void> => {
    const modern = (method: string, params?: Record<string, unknown>) => modernRequest(method, params, CLIENT)
    const { session: id } = await step(`Handshake (${revision})`, () => ask(revision === MODERN
      ? modern('server/discover')
      : initializeRequest(CLIENT, revision)), () => 'The server accepts the credential.')
    const session = { revision, id }
    const make: MakeRequest = revision === MODERN ? modern : (...given) => legacyRequest(session, ...given)
    try {
      tools = await step(`List tools (${revision})`,
        async () => namesOf(await ask(make('tools/list', {}))), (names) => `${names.length} tools.`)
      reads ??= await step(`Read workspaces (${revision})`, () => readWorkspaces(make), (seen) =>
        `${pluralize(seen.workspaces, 'workspace')}, ${pluralize(seen.explorations, 'exploration')}.`)
    } finally {
      if (id !== undefined) await send('DELETE', { headers: inSession(session) })
    }
  }

  const legacy = revisions.filter((revision) => revision !== MODERN).sort().slice(-1)
  try {
    for (const revision of [...revisions.includes(MODERN) ? [MODERN] : [], ...legacy]) await tryEra(revision)
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
  }
  const ok = steps.length > 0 && steps.every((one) => one.ok)
  return { ok, steps, tools, reads, duration_ms: Math.round(performance.now() - started) }
}

/** @throws {StepFailed} with the sentence of an error, and its hint where there is one */
const readReply = ({ statusCode: status, headers, body }: Awaited<ReturnType<LoopbackRequest>>) => {
  const session = headers['mcp-session-id']
  // The last event of a stream, where it is one.
  const reply = parseObject(body.startsWith('{') ? body : eventDataIn(body).at(-1) ?? '') ?? {}
  const { result, error } = reply
  if (isObject(result)) return { result, session: typeof session === 'string' ? session : undefined }
  const { message, detail, data } = isObject(error) ? error : reply
  const { hint } = asObject(data)
  const sentence = [message, detail].find((text) => typeof text === 'string') ??
    `The server answered with status ${status}.`
  throw new StepFailed(typeof hint === 'string' ? `${sentence} ${hint}` : String(sentence))
}

const namesOf = ({ result: { tools } }: ReturnType<typeof readReply>): string[] =>
  Array.isArray(tools) ? tools.map((tool) => String(asObject(tool)['name'])) : []
