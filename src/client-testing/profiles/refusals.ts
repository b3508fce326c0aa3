/** Profiles: requests that are refused for now, or because the credential was revoked. */
import { errorReply, jsonReply, type ReplyHeaders } from '../proxy/reply.js'
import { breaks, COPING_OR_FAILING, fromFirst, isSameRequest, judgeCopingOrFailing } from './judges.js'
import type { Profile } from './profile.js'
import { answerEach, answerOnce, isWork } from './targets.js'

const WAIT_SECONDS = 2
/** What must lie between the refusal and the next attempt, in milliseconds; a date has whole seconds. */
const WAIT_MS = WAIT_SECONDS * 1000 - 50
const UNTIL_DATE_MS = WAIT_MS - 1000
const MAX_AGAIN = 3
const common = { family: 'refusals', kind: 'legal', eras: ['legacy', 'modern'] } as const

/** The same request may come a few times more, the first time after `waitMs` at the earliest. */
const judgeWaiting = (waitMs: number): Profile['judge'] =>
  fromFirst('The client sent no request after its first steps.', (first, later, evidence) => {
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
  rest: Pick<Profile, 'expects'> & Partial<Profile> = RETRY_AFTER
): Profile => ({
  ...common,
  id,
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

export const refusals: readonly Profile[] = [
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
    ...common,
    id: 'credential-revoked',
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
