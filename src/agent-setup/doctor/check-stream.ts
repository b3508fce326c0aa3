/** Checks that events arrive while a stream is open instead of when it ends, and that sessions work across replicas. */
import { createParser } from 'eventsource-parser'
import { fetch, type Response } from 'undici'
import { failed, passed, skipped, type CheckResult } from './finding.js'
import { BOTH, headersFor, inSession, legacyRequest, modernRequest } from './mcp-client.js'
import { errorCodeOrName } from '../../lib/error-code.js'
import { remedyFor, succeeded, describe, type Probe } from './probe.js'

const BUFFERS = 'A proxy keeps events back: switch its buffering off for this path (nginx: proxy_buffering off; ' +
  'and gzip off;), and let X-Accel-Buffering through.'

/** Opens a stream that sends one event at once, stays open, and sends a comment every fifteen seconds. */
export const checkStream = async (probe: Probe): Promise<CheckResult> => {
  const opening = await openingFor(probe)
  if (!opening) return skipped('this server has no streams (--sessions off)')
  const { url, token, timeouts: { firstEventMs, nextEventMs } } = probe
  const left = new AbortController()
  const begun = performance.now()
  let late = setTimeout(() => left.abort(), firstEventMs)
  let firstArrivalMs: number | undefined
  try {
    // Compression is accepted, as agents do: a compressed stream must not be delayed either.
    const reply = await fetch(url, {
      ...opening, headers: { ...headersFor(token), ...opening.headers }, redirect: 'manual', signal: left.signal
    })
    if (reply.status !== 200) {
      return failed(`HTTP ${reply.status} to a request for a stream`,
        'See the log of the server, and of the proxy before it.')
    }
    const events = eventsIn(reply)
    if ((await events.next()).done) return failed('the stream ended before its first event', BUFFERS)
    firstArrivalMs = Math.round(performance.now() - begun)
    const first = `the first event came after ${firstArrivalMs} ms`
    if (!isProxied(url, reply)) return passed(`${first}, with the stream open`)
    // A buffering proxy may still forward what arrived together with the headers.
    clearTimeout(late)
    late = setTimeout(() => left.abort(), nextEventMs)
    if ((await events.next()).done) return failed(`${first}, and then the stream ended`, CUTS)
    const later = Math.round(performance.now() - begun - firstArrivalMs)
    return passed(`${first}, the next sign of life ${later} ms later, through a proxy`)
  } catch (error) {
    if (!left.signal.aborted) {
      const cause = error instanceof Error ? error.cause ?? error : error
      return failed(`the stream broke (${errorCodeOrName(cause)})`, firstArrivalMs === undefined ? BUFFERS : CUTS)
    }
    return failed(firstArrivalMs === undefined
      ? `no event came in ${firstEventMs} ms, though the server sends one at once`
      : `nothing came in ${nextEventMs} ms after the first event, though the server gives a sign of life every 15 s`,
    BUFFERS)
  } finally {
    clearTimeout(late)
    left.abort()
  }
}

const CUTS = 'A proxy ends streams that are silent for a while: let it wait at least 60 s (nginx: proxy_read_timeout).'

/** Whether a proxy answered: this server speaks plain HTTP, and its replies name no software. */
const isProxied = ({ protocol }: URL, { headers }: Response): boolean =>
  protocol === 'https:' || ['server', 'via', 'cf-ray', 'x-served-by', 'x-cache'].some((name) => headers.has(name))

const openingFor = async (
  probe: Probe
): Promise<{ method: string, headers: Record<string, string>, body?: string } | undefined> => {
  if (succeeded(await probe.discover())) {
    const params = { notifications: { resourcesListChanged: true } }
    const { headers = {}, body } = modernRequest('subscriptions/listen', params)
    return { method: 'POST', headers, body: JSON.stringify(body) }
  }
  const session = await probe.session()
  return session?.id === undefined ? undefined : { method: 'GET', headers: { ...inSession(session), accept: BOTH } }
}

/** Yields once for each chunk that completes an event or a comment. */
async function * eventsIn ({ body }: Response): AsyncGenerator<void> {
  const text = new TextDecoder()
  let arrived = false
  const onArrival = (): void => { arrived = true }
  const parser = createParser({ onEvent: onArrival, onComment: onArrival, maxBufferSize: MAX_EVENT_CHARS })
  for await (const chunk of body ?? []) {
    const bytes: Uint8Array = chunk
    parser.feed(text.decode(bytes, { stream: true }))
    if (!arrived) continue
    arrived = false
    yield
  }
}

/** Beyond it the parser throws, and the check reports a broken stream. */
const MAX_EVENT_CHARS = 1_000_000

const CALLS = 3

/** Each call uses a connection of its own, so that a load balancer may send it to any replica. */
export const checkSession = async (probe: Probe): Promise<CheckResult> => {
  const session = await probe.session()
  if (session?.id === undefined) return skipped('this server has no sessions')
  for (let called = 1; called <= CALLS; called++) {
    const answer = await probe.send(legacyRequest(session, 'ping'))
    if (succeeded(answer)) continue
    return 'status' in answer && (answer.status === 404 || answer.status === 400)
      ? failed(`lost at call ${called} of ${CALLS}: ${describe(answer)}`,
        'Another replica does not know the session: give all the same SESSION_SECRET, ' +
        'and let Mcp-Session-Id through.')
      : failed(describe(answer), remedyFor(answer))
  }
  return passed(`${CALLS} calls on as many connections`)
}
