/** A real conversation with an endpoint, as an agent would have it: the handshake and the list of tools, in each era that is served. */
import { LATEST_LEGACY, MODERN_REVISIONS } from '../revisions.js'
import { SERVER } from '../server-info.js'
import { exchange, type Answer } from './exchange.js'

export type Verdict = { ok: true, eras: Era[], tools: number } | { ok: false, reason: string }
export type Era = 'legacy' | 'modern'

interface Listed { tools: number }
interface Failed { status: number, reason: string }

const [MODERN] = MODERN_REVISIONS
const CLIENT = { name: `${SERVER.name}-init`, version: SERVER.version }
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {}
}

/** `headers` are those of the registration, as they stand there. A `Refusal` when nobody answers. */
export async function handshake (url: URL, headers: Readonly<Record<string, string>>): Promise<Verdict> {
  const legacy = await legacyTools(url, headers)
  // Refused as a caller: the other era would say the same.
  if ('status' in legacy && [401, 403, 429].includes(legacy.status)) return { ok: false, reason: legacy.reason }
  const modern = await modernTools(url, headers)
  const eras = [...'tools' in legacy ? ['legacy' as const] : [], ...'tools' in modern ? ['modern' as const] : []]
  const listed = 'tools' in modern ? modern : legacy
  return 'tools' in listed ? { ok: true, eras, tools: listed.tools } : { ok: false, reason: listed.reason }
}

async function legacyTools (url: URL, headers: Readonly<Record<string, string>>): Promise<Listed | Failed> {
  const opened = await send(url, headers, {
    id: 1, method: 'initialize', params: { protocolVersion: LATEST_LEGACY, capabilities: {}, clientInfo: CLIENT }
  })
  const begun = resultIn(opened)
  if (!('result' in begun)) return begun
  const session = opened.headers['mcp-session-id']
  const agreed = begun.result['protocolVersion']
  const within = {
    ...headers,
    ...(typeof session === 'string' && { 'mcp-session-id': session }),
    ...(typeof agreed === 'string' && { 'mcp-protocol-version': agreed })
  }
  try {
    await send(url, within, { method: 'notifications/initialized' })
    return toolsIn(await send(url, within, { id: 2, method: 'tools/list', params: {} }))
  } finally {
    if (typeof session === 'string') await exchange(url, { method: 'DELETE', headers: within }).catch(() => undefined)
  }
}

async function modernTools (url: URL, headers: Readonly<Record<string, string>>): Promise<Listed | Failed> {
  const call = (id: number, method: string) =>
    send(url, { ...headers, 'mcp-protocol-version': MODERN, 'mcp-method': method }, { id, method, params: { _meta: META } })
  const discovered = resultIn(await call(1, 'server/discover'))
  return 'result' in discovered ? toolsIn(await call(2, 'tools/list')) : discovered
}

const send = (url: URL, headers: Readonly<Record<string, string>>, message: object): Promise<Answer> => exchange(url, {
  method: 'POST',
  headers: { ...headers, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', ...message })
})

const toolsIn = (answer: Answer): Listed | Failed => {
  const listed = resultIn(answer)
  if (!('result' in listed)) return listed
  const { tools } = listed.result
  return Array.isArray(tools) ? { tools: tools.length } : { status: answer.status, reason: 'The endpoint lists no tools: it is no MCP server.' }
}

/** The result as plain JSON, or as the data of an event; else why there is none, in the server's words. */
const resultIn = ({ status, text, headers }: Answer): { result: Record<string, unknown> } | Failed => {
  if (status >= 300 && status < 400) {
    return { status, reason: `The endpoint redirects to ${String(headers['location'])}: agents lose the credential on the way, so register that address.` }
  }
  for (const line of [text, ...text.split('\n')]) {
    const message = messageIn(line.replace(/^data: ?/, ''))
    if (!message) continue
    if ('result' in message && typeof message.result === 'object' && message.result !== null) return { result: { ...message.result } }
    const reason = 'error' in message ? reasonIn(message.error) : undefined
    if (reason !== undefined) return { status, reason }
  }
  return { status, reason: `HTTP ${status}, without an answer of MCP: check the URL.` }
}

const messageIn = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const reasonIn = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined
  const { message, data } = error as { message?: unknown, data?: { hint?: unknown } | null }
  const said = [message, data?.hint].filter((part) => typeof part === 'string').join(' ')
  return said === '' ? undefined : said.slice(0, 500)
}
