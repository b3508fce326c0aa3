/** Sends doctor's requests to one server, each once however many checks need its answer, and ends its session. */
import {
  inSession, initialize, initializedNotification, legacyRequest, modernRequest, send as sendTo,
  type McpAnswer, type Endpoint, type McpRequest, type McpSession, type NoResponse
} from './mcp-client.js'
import { shownText } from '../server-text.js'

export const TIMEOUTS = {
  connectMs: 5000,
  answerMs: 10_000,
  firstEventMs: 5000,
  nextEventMs: 20_000,
  slowMs: 2000
}

export type Timeouts = typeof TIMEOUTS
export type ProbeOutcome = McpAnswer | NoResponse
export type Probe = ReturnType<typeof createProbe>

export const DISCOVER = modernRequest('server/discover')

/**
 * Creates the probe. Its methods resolve to a `NoResponse` instead of rejecting with it; `end` must be called.
 * @param allowHttp whether the credential may be sent over plain HTTP to another machine
 */
export const createProbe = (endpoint: Endpoint, timeouts = TIMEOUTS, allowHttp = false) => {
  const send = (sending: McpRequest, to = endpoint) => sendTo(to, { timeoutMs: timeouts.answerMs, ...sending })
  const sendAnonymously = (sending: McpRequest, url = endpoint.url) => send(sending, { url })
  const discover = memoizeCall(() => send(DISCOVER))
  const handshake = memoizeCall(async () => {
    const answer = await send(initialize)
    if (succeeded(answer)) await send(initializedNotification(sessionIn(answer)))
    return answer
  })
  const session = async (): Promise<McpSession | undefined> => {
    const answer = await handshake()
    return succeeded(answer) ? sessionIn(answer) : undefined
  }
  return {
    ...endpoint,
    timeouts,
    allowHttp,
    send: (sending: McpRequest) => send(sending),
    anonymous: memoizeCall(() => sendAnonymously(DISCOVER)),
    sendAnonymously,
    discover,
    initialize: handshake,
    session,
    /** Sends a request in the era that is served. */
    async ask (method: string, params: Record<string, unknown> = {}): Promise<ProbeOutcome> {
      const modern = await discover()
      if (succeeded(modern)) return send(modernRequest(method, params))
      const agreed = await session()
      return agreed ? send(legacyRequest(agreed, method, params)) : modern
    },
    async end (): Promise<void> {
      const agreed = handshake.started() ? await session() : undefined
      if (agreed?.id !== undefined) await send({ method: 'DELETE', headers: inSession(agreed) })
    }
  }
}

export const succeeded = (outcome: ProbeOutcome): outcome is McpAnswer =>
  'status' in outcome && outcome.status === 200 && outcome.message?.result !== undefined

const sessionIn = ({ header, message }: McpAnswer): McpSession => ({
  revision: String(message?.result?.['protocolVersion']), id: header('mcp-session-id')
})

/** Returns the same call, which is made once; `started` says whether it was. */
export const memoizeCall = <T>(work: () => Promise<T>): (() => Promise<T>) & { started (): boolean } => {
  let doing: Promise<T> | undefined
  return Object.assign(() => {
    doing ??= work()
    return doing
  }, { started: () => doing !== undefined })
}

export const describe = (outcome: ProbeOutcome): string => {
  if (!('status' in outcome)) {
    return outcome.code === 'TimeoutError' ? 'no answer in time' : `no answer (${outcome.code})`
  }
  const errorMessage = shownText(outcome.message?.error?.message)
  return `HTTP ${outcome.status}${errorMessage === undefined ? '' : `: ${errorMessage}`}`
}

export const remedyFor = (outcome: ProbeOutcome): string => {
  if (!('status' in outcome) || outcome.status !== 429) return 'See the log of the server, and of the proxy before it.'
  const [seconds = 'some'] = /^\d{1,6}$/.exec(outcome.header('retry-after') ?? '') ?? []
  return `Wait ${seconds} seconds; if it happens often give each agent a credential of its own, ` +
    'or raise its limit (RATE_LIMIT_…).'
}
