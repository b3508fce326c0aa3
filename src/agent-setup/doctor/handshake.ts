/** Talks to an endpoint as an agent does: handshake and list of tools, in each era that is served. */
import { legacyRequest, modernRequest, type McpAnswer } from './mcp-client.js'
import { keysOf } from '../../lib/json/json-object.js'
import { addressIn, shownText } from '../server-text.js'
import { createProbe, succeeded, type ProbeOutcome } from './probe.js'

export type Verdict = { ok: true, eras: ProbedEra[], tools: number } | { ok: false, reason: string, unreachable?: true }
export type ProbedEra = 'legacy' | 'modern'

/** Lists the tools with the headers of an entry, sent as they are. */
export async function handshake (url: URL, headers: Readonly<Record<string, string>>): Promise<Verdict> {
  const probe = createProbe({ url, headers })
  try {
    const session = await probe.session()
    const legacy = session ? await probe.send(legacyRequest(session, 'tools/list', {})) : await probe.initialize()
    // The caller is refused: the other era would give the same answer.
    if (!('status' in legacy) || [401, 403, 429].includes(legacy.status)) return refusalIn(legacy, url)
    const discovered = await probe.discover()
    const modern = succeeded(discovered) ? await probe.send(modernRequest('tools/list')) : discovered
    if (!('status' in modern)) return refusalIn(modern, url)
    const tools = { legacy: toolsIn(legacy), modern: toolsIn(modern) }
    const count = tools.modern ?? tools.legacy
    const eras = keysOf(tools).filter((era) => tools[era] !== undefined)
    return count === undefined ? refusalIn(legacy, url) : { ok: true, eras, tools: count }
  } finally {
    await probe.end()
  }
}

/** The handshake, once for each address and headers. */
export const createHandshakes = (): typeof handshake => {
  const verdicts = new Map<string, Promise<Verdict>>()
  return (url, headers) => {
    const key = JSON.stringify([url.href, headers])
    const verdict = verdicts.get(key) ?? handshake(url, headers)
    verdicts.set(key, verdict)
    return verdict
  }
}

const toolsIn = ({ message }: McpAnswer): number | undefined => {
  const tools = message?.result?.['tools']
  return Array.isArray(tools) ? tools.length : undefined
}

/** The reason in the server's words, if it gives one. */
const refusalIn = (answer: ProbeOutcome, { origin }: URL): Verdict => {
  if (!('status' in answer)) {
    return { ok: false, reason: `${origin} does not answer (${answer.code}).`, unreachable: true }
  }
  const { status, message, header } = answer
  if (status >= 300 && status < 400) {
    return {
      ok: false,
      reason: `The endpoint redirects to ${addressIn(header('location')) ?? 'nowhere'}: ` +
        'agents lose the credential on the way, so register that address.'
    }
  }
  const hint = message?.error?.data?.['hint']
  const text = [message?.error?.message, hint].flatMap((part) => shownText(part, 500) ?? []).join(' ')
  return { ok: false, reason: text === '' ? `HTTP ${status}, without an answer of MCP: check the URL.` : text }
}
