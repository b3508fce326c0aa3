/** Profiles: requests that are refused for now, or because the credential was revoked, or redirected. */
import { errorReply, jsonReply, textReply, type ReplyHeaders } from '../proxy/reply.js'
import {
  breaks, copes, COPING_OR_FAILING, fromFirst, isSameRequest, judgeCopingOrFailing, judgeLeak, judgeProcess
} from './judges.js'
import type { ProfileRow } from './profile.js'
import { answerEach, answerOnce, isWork } from './targets.js'

const WAIT_SECONDS = 2
/** What must lie between the refusal and the next attempt, in milliseconds; a date has whole seconds. */
const WAIT_MS = WAIT_SECONDS * 1000 - 50
const UNTIL_DATE_MS = WAIT_MS - 1000
const MAX_AGAIN = 3
const NONE = 'The client sent no request after its first steps.'

/** The same request may come a few times more, the first time after `waitMs` at the earliest. */
const judgeWaiting = (waitMs: number): ProfileRow['judge'] => fromFirst(NONE, (first, later, evidence) => {
  const again = later.filter((exchange) => isSameRequest(exchange, first))
  const [second] = again
  if (waitMs > 0 && second && first.end !== undefined && second.at - first.end < waitMs) {
    const afterMs = Math.round(second.at - first.end)
    return breaks(`It sent the request again after ${afterMs} ms; Retry-After says ${WAIT_SECONDS} s.`, second)
  }
  return again.length > MAX_AGAIN
    ? breaks(`It sent the request ${again.length} more times.`, second)
    : judgeCopingOrFailing(evidence)
})

const RETRY_AFTER = {
  level: 'SHOULD',
  rfc: '9110#section-10.2.3',
  expects: 'wait as long as Retry-After says and send the request again, or report an error',
  judgedBy: `the same request does not come before its time; ${COPING_OR_FAILING}`
} as const

const refused = (
  id: string, status: number, happens: string, headers: () => ReplyHeaders, waitMs: number,
  rest: Pick<ProfileRow, 'expects'> & Partial<ProfileRow> = RETRY_AFTER
): ProfileRow => ({
  id,
  kind: 'legal',
  happens,
  level: 'robustness',
  judgedBy: `the client continues or its process ends with an error, after at most ${MAX_AGAIN} repetitions`,
  ...rest,
  create: () => answerOnce(happens,
    (call) => errorReply(call, { code: status, message: 'Later, please.' }, status, headers())),
  judge: judgeWaiting(waitMs)
})

const seconds = () => ({ 'retry-after': `${WAIT_SECONDS}` })
const date = () => ({ 'retry-after': new Date(Date.now() + WAIT_SECONDS * 1000).toUTCString() })

export const refusals: readonly ProfileRow[] = [
  refused('too-many-requests', 429, `429 with Retry-After: ${WAIT_SECONDS}`, seconds, WAIT_MS),
  refused('too-many-requests-date', 429, '429 with a date in Retry-After', date, UNTIL_DATE_MS),
  refused('unavailable', 503, `503 with Retry-After: ${WAIT_SECONDS}`, seconds, WAIT_MS),
  refused('unavailable-date', 503, '503 with a date in Retry-After', date, UNTIL_DATE_MS),
  refused('retry-after-nonsense', 429, '429 with nonsense in Retry-After',
    () => ({ 'retry-after': 'next Tuesday, -7' }), 0, {
      kind: 'illegal',
      expects: 'ignore the header: send the request again after a time of its own, or report an error'
    }),
  refused('server-error', 500, 'one request is answered by 500', () => ({}), 0,
    { expects: 'send the request again or report an error, and go on' }),
  {
    id: 'credential-revoked',
    kind: 'legal',
    level: 'MUST',
    legacy: 'basic/authorization#error-handling',
    modern: 'basic/authorization#error-handling',
    happens: 'the credential is revoked: each further request is answered by 401',
    expects: 'report it, and do not repeat the request with the same credential',
    judgedBy: `the process ends in words, after at most ${MAX_AGAIN} repetitions of the request`,
    create () {
      let isRevoked = false
      return answerEach('401', (call) => (isRevoked ||= isWork(call)), () =>
        jsonReply({ error: 'invalid_token' }, 401, { 'www-authenticate': 'Bearer error="invalid_token"' }))
    },
    judge: judgeWaiting(0)
  }
]

const PATH = '/mcp/'

const redirected = (status: 307 | 308, rfc: string): ProfileRow => ({
  id: `redirect-${status}`,
  kind: 'legal',
  level: 'SHOULD',
  rfc,
  happens: `requests to /mcp are redirected by ${status} to /mcp/ of the same origin`,
  expects: 'send the same request there, or report an error',
  judgedBy:
    'a request that follows the redirect has the method, the body and the credential of the first; or the process ' +
    'ends with an error',
  create: () => answerEach(`redirected by ${status}`, (call) => isWork(call) && !call.url.startsWith(PATH),
    () => textReply(status, 'text/plain', '', { location: PATH })),
  judge: fromFirst(NONE, (first, later, evidence) => {
    const next = later.find(({ url }) => url.startsWith(PATH))
    return next && (next.method !== first.method || next.body !== first.body)
      ? breaks(`It followed with ${next.method} and another body.`, next)
      : judgeCopingOrFailing(evidence)
  })
})

export const redirects: readonly ProfileRow[] = [
  redirected(307, '9110#section-15.4.8'),
  redirected(308, '9110#section-15.4.9'),
  {
    id: 'redirect-other-origin',
    kind: 'illegal',
    level: 'MUST',
    legacy: 'basic/authorization#token-handling',
    modern: 'basic/authorization#token-handling',
    happens: 'a request is redirected by 307 to a server of another origin',
    expects: 'not send the credential there',
    judgedBy: 'the token never arrives at the other server, and the process neither hangs nor dies',
    create: ({ otherOrigin }) => answerOnce('redirected to another origin',
      () => textReply(307, 'text/plain', '', { location: otherOrigin })),
    judge: fromFirst(NONE, (first, _later, evidence) =>
      judgeLeak(evidence) ?? judgeProcess(evidence, first, { mayFail: true }) ?? copes(
        evidence.elsewhere.length > 0 ? 'It followed without the credential.' : 'It did not follow.', first))
  }
]
