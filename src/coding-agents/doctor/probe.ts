/** What doctor asks of one server, each question once, whichever checks need the answer; and what it leaves behind is cleared away. */
import {
  inSession, initialize, legacyNotification, legacyRequest, modernRequest, NoAnswer, send,
  type Answer, type Endpoint, type Sending, type Session
} from './mcp-client.js'
import { shownText } from '../server-text.js'

export interface Patience { connectMs: number, answerMs: number, firstEventMs: number, nextEventMs: number, slowMs: number }

export const PATIENCE: Patience = { connectMs: 5000, answerMs: 10_000, firstEventMs: 5000, nextEventMs: 20_000, slowMs: 2000 }

export type Outcome = Answer | NoAnswer

export interface Visit extends Endpoint {
  patience: Patience
  /** Whether the credential may be sent in clear to another machine. */
  allowHttp: boolean
  /** Without the credential: what anybody gets. */
  anonymous (): Promise<Outcome>
  /** The same at another address. */
  elsewhere (url: URL): Promise<Outcome>
  discover (): Promise<Outcome>
  initialize (): Promise<Outcome>
  /** What the handshake agreed on, if it did. */
  session (): Promise<Session | undefined>
  /** Calls a tool in the era that is served. */
  call (tool: string): Promise<Outcome>
  ask (sending: Sending): Promise<Outcome>
  end (): Promise<void>
}

export const visit = (endpoint: Endpoint, patience: Patience, allowHttp = false): Visit => {
  const to = (whom: Endpoint) => async (sending: Sending): Promise<Outcome> => {
    try {
      return await send(whom, { timeoutMs: patience.answerMs, ...sending })
    } catch (error) {
      if (error instanceof NoAnswer) return error
      throw error
    }
  }
  const ask = to(endpoint)
  const elsewhere = (url: URL) => to({ url })(modernRequest('server/discover'))
  const discover = once(() => ask(modernRequest('server/discover')))
  const handshake = once(async () => {
    const answer = await ask(initialize)
    if (succeeded(answer)) await ask(legacyNotification(sessionIn(answer), 'notifications/initialized'))
    return answer
  })
  const session = async (): Promise<Session | undefined> => {
    const answer = await handshake()
    return succeeded(answer) ? sessionIn(answer) : undefined
  }
  return {
    ...endpoint,
    patience,
    allowHttp,
    ask,
    anonymous: once(() => elsewhere(endpoint.url)),
    elsewhere,
    discover,
    initialize: handshake,
    session,
    async call (tool) {
      const params = { name: tool, arguments: {} }
      const modern = await discover()
      if (succeeded(modern)) return ask(modernRequest('tools/call', params))
      const agreed = await session()
      return agreed ? ask(legacyRequest(agreed, 'tools/call', params)) : modern
    },
    async end () {
      const agreed = handshake.asked() ? await session() : undefined
      if (agreed?.id !== undefined) await ask({ method: 'DELETE', headers: inSession(agreed) })
    }
  }
}

export const succeeded = (outcome: Outcome): outcome is Answer => 'status' in outcome && outcome.status === 200 && outcome.message?.result !== undefined

const sessionIn = ({ header, message }: Answer): Session => ({ revision: String(message?.result?.['protocolVersion']), id: header('mcp-session-id') })

const once = <T>(work: () => Promise<T>): (() => Promise<T>) & { asked (): boolean } => {
  let doing: Promise<T> | undefined
  return Object.assign(() => {
    doing ??= work()
    return doing
  }, { asked: () => doing !== undefined })
}

/** What came back, in a few words. */
export const worded = (outcome: Outcome): string => {
  if (!('status' in outcome)) return outcome.code === 'TimeoutError' ? 'no answer in time' : `no answer (${outcome.code})`
  const said = shownText(outcome.message?.error?.message)
  return `HTTP ${outcome.status}${said === undefined ? '' : `: ${said}`}`
}

/** What mends an answer that should have been another. */
export const remedyFor = (outcome: Outcome): string => 'status' in outcome && outcome.status === 429
  ? `Wait ${/^\d{1,6}$/.exec(outcome.header('retry-after') ?? '')?.[0] ?? 'some'} seconds; if it happens often give each agent a credential of its own, or raise its limit (RATE_LIMIT_…).`
  : 'See the log of the server, and of the proxy before it.'
