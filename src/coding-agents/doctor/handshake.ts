/** A real conversation with an endpoint, as an agent would have it: the handshake and the list of tools, in each era that is served. */
import {
  initialize, inSession, legacyNotification, legacyRequest, modernRequest, NoAnswer, send, type Answer, type Sending, type Session
} from './mcp-client.js'
import { addressIn, shownText } from '../server-text.js'

export type Verdict = { ok: true, eras: Era[], tools: number } | { ok: false, reason: string, unreachable?: true }
export type Era = 'legacy' | 'modern'

interface Listed { tools: number }
interface Failed { status: number, reason: string }
type Ask = (sending: Sending) => Promise<Answer>

/** `headers` are those of the registration, as they stand there. */
export async function handshake (url: URL, headers: Readonly<Record<string, string>>): Promise<Verdict> {
  const ask: Ask = (sending) => send({ url }, { ...sending, headers: { ...headers, ...sending.headers } })
  try {
    const legacy = await legacyTools(ask)
    // Refused as a caller: the other era would say the same.
    if ('status' in legacy && [401, 403, 429].includes(legacy.status)) return { ok: false, reason: legacy.reason }
    const modern = await modernTools(ask)
    const eras = [...'tools' in legacy ? ['legacy' as const] : [], ...'tools' in modern ? ['modern' as const] : []]
    const listed = 'tools' in modern ? modern : legacy
    return 'tools' in listed ? { ok: true, eras, tools: listed.tools } : { ok: false, reason: listed.reason }
  } catch (error) {
    if (error instanceof NoAnswer) return { ok: false, reason: `${url.origin} does not answer (${error.code}).`, unreachable: true }
    throw error
  }
}

async function legacyTools (ask: Ask): Promise<Listed | Failed> {
  const opened = await ask(initialize)
  const agreed = opened.message?.result?.['protocolVersion']
  if (typeof agreed !== 'string') return failureIn(opened)
  const session: Session = { revision: agreed, id: opened.header('mcp-session-id') }
  try {
    await ask(legacyNotification(session, 'notifications/initialized'))
    return toolsIn(await ask(legacyRequest(session, 'tools/list', {})))
  } finally {
    if (session.id !== undefined) await ask({ method: 'DELETE', headers: inSession(session) }).catch(() => undefined)
  }
}

async function modernTools (ask: Ask): Promise<Listed | Failed> {
  const discovered = await ask(modernRequest('server/discover'))
  return discovered.message?.result ? toolsIn(await ask(modernRequest('tools/list'))) : failureIn(discovered)
}

const toolsIn = (answer: Answer): Listed | Failed => {
  const tools = answer.message?.result?.['tools']
  return Array.isArray(tools) ? { tools: tools.length } : failureIn(answer)
}

/** In the server's words, where it has any. */
const failureIn = ({ status, message, header }: Answer): Failed => {
  if (status >= 300 && status < 400) {
    return { status, reason: `The endpoint redirects to ${addressIn(header('location')) ?? 'nowhere'}: agents lose the credential on the way, so register that address.` }
  }
  const hint = message?.error?.data?.['hint']
  const said = [message?.error?.message, hint].flatMap((part) => shownText(part, 500) ?? []).join(' ')
  return { status, reason: said === '' ? `HTTP ${status}, without an answer of MCP: check the URL.` : said }
}
