/** Talks to an endpoint as an agent does: handshake and list of tools, in each era that is served. */
import {
  initialize, initializedNotification, inSession, legacyRequest, modernRequest, NoResponse, send, type McpAnswer,
  type McpRequest, type McpSession
} from './mcp-client.js'
import { addressIn, shownText } from '../server-text.js'

export type Verdict = { ok: true, eras: ProbedEra[], tools: number } | { ok: false, reason: string, unreachable?: true }
export type ProbedEra = 'legacy' | 'modern'

interface ListedTools { tools: number }
interface ProbeFailure { status: number, reason: string }
type SendMcp = (sending: McpRequest) => Promise<McpAnswer>

/**
 * Lists the tools with the headers of an entry, sent as they are.
 * @throws the errors of `send`, except for `NoResponse`
 */
export async function handshake (url: URL, headers: Readonly<Record<string, string>>): Promise<Verdict> {
  const ask: SendMcp = (sending) => send({ url }, { ...sending, headers: { ...headers, ...sending.headers } })
  try {
    const legacy = await legacyTools(ask)
    // The caller is refused: the other era would give the same answer.
    if ('status' in legacy && [401, 403, 429].includes(legacy.status)) return { ok: false, reason: legacy.reason }
    const modern = await modernTools(ask)
    const eras = [...'tools' in legacy ? ['legacy' as const] : [], ...'tools' in modern ? ['modern' as const] : []]
    const listed = 'tools' in modern ? modern : legacy
    return 'tools' in listed ? { ok: true, eras, tools: listed.tools } : { ok: false, reason: listed.reason }
  } catch (error) {
    if (error instanceof NoResponse) {
      return {
        ok: false, reason: `${url.origin} does not answer (${error.code}).`, unreachable: true
      }
    }
    throw error
  }
}

async function legacyTools (ask: SendMcp): Promise<ListedTools | ProbeFailure> {
  const initialized = await ask(initialize)
  const agreed = initialized.message?.result?.['protocolVersion']
  if (typeof agreed !== 'string') return failureIn(initialized)
  const session: McpSession = { revision: agreed, id: initialized.header('mcp-session-id') }
  try {
    await ask(initializedNotification(session))
    return toolsIn(await ask(legacyRequest(session, 'tools/list', {})))
  } finally {
    if (session.id !== undefined) await ask({ method: 'DELETE', headers: inSession(session) }).catch(() => undefined)
  }
}

async function modernTools (ask: SendMcp): Promise<ListedTools | ProbeFailure> {
  const discovered = await ask(modernRequest('server/discover'))
  return discovered.message?.result ? toolsIn(await ask(modernRequest('tools/list'))) : failureIn(discovered)
}

const toolsIn = (answer: McpAnswer): ListedTools | ProbeFailure => {
  const tools = answer.message?.result?.['tools']
  return Array.isArray(tools) ? { tools: tools.length } : failureIn(answer)
}

/** The reason in the server's words, if it gives one. */
const failureIn = ({ status, message, header }: McpAnswer): ProbeFailure => {
  if (status >= 300 && status < 400) {
    return {
      status,
      reason: `The endpoint redirects to ${addressIn(header('location')) ?? 'nowhere'}: ` +
        'agents lose the credential on the way, so register that address.'
    }
  }
  const hint = message?.error?.data?.['hint']
  const text = [message?.error?.message, hint].flatMap((part) => shownText(part, 500) ?? []).join(' ')
  return { status, reason: text === '' ? `HTTP ${status}, without an answer of MCP: check the URL.` : text }
}
