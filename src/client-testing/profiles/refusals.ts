/** Profiles: requests that are refused for now, or because the credential was revoked. */
import { idOf } from '../proxy/client-request.js'
import { errorReply, jsonReply, type ReplyHeaders } from '../proxy/reply.js'
import {
  COPING_OR_FAILING, afterInjection, fail, injectedIn, isSameRequest, judgeCoping, notExercised
} from './judges.js'
import type { Evidence, Judgement, Profile } from './profile.js'
import { answerOnce, isWork } from './targets.js'

const WAIT_SECONDS = 2
/** A date has whole seconds. */
const DATE_MS = 1000
const MAX_AGAIN = 3

const common = {
  family: 'refusals',
  eras: ['legacy', 'modern'],
  level: 'SHOULD',
  rfc: '9110#section-10.2.3',
  expects: 'wait as long as Retry-After says and send the request again, or report an error'
} as const

/** `waitMs`: what must lie between the refusal and the next attempt. */
const judgeWaiting = (evidence: Evidence, waitMs: number): Judgement => {
  const [first] = injectedIn(evidence)
  if (!first) return notExercised('The client sent no request after its first steps.')
  const again = afterInjection(evidence).filter((exchange) => isSameRequest(exchange, first))
  const [second] = again
  if (second && first.end !== undefined && second.at - first.end < waitMs) {
    return fail(
      'breaks the rule',
      `It sent the request again after ${Math.round(second.at - first.end)} ms; Retry-After says ${WAIT_SECONDS} s.`,
      second.number
    )
  }
  if (again.length > MAX_AGAIN) {
    return fail('breaks the rule', `It sent the request ${again.length} more times.`, second?.number)
  }
  return judgeCoping(evidence, { mayFail: true })
}

const later = (
  id: string,
  status: number,
  happens: string,
  headers: () => ReplyHeaders,
  waitMs: number,
  rest: Partial<Profile> = {}
): Profile => ({
  ...common,
  id,
  kind: 'legal',
  happens,
  judgedBy: `the same request does not come before its time; ${COPING_OR_FAILING}`,
  ...rest,
  create: () => answerOnce(
    happens,
    (call) => errorReply(idOf(call), { code: status, message: 'Later, please.' }, status, headers()),
    (evidence) => judgeWaiting(evidence, waitMs)
  )
})

const seconds = () => ({ 'retry-after': `${WAIT_SECONDS}` })
const date = () => ({ 'retry-after': new Date(Date.now() + WAIT_SECONDS * 1000).toUTCString() })

const nowhere = { level: 'robustness', rfc: undefined } as const

const { rfc: _, ...withoutRfc } = common
const revoked: Profile = {
  ...withoutRfc,
  id: 'credential-revoked',
  kind: 'legal',
  level: 'MUST',
  legacy: 'basic/authorization#error-handling',
  modern: 'basic/authorization#error-handling',
  happens: 'the credential is revoked: each further request is answered by 401',
  expects: 'report it, and do not repeat the request with the same credential',
  judgedBy: `the process ends in words, after at most ${MAX_AGAIN} repetitions of the request`,
  create: () => {
    let isRevoked = false
    return {
      answer (call, turn) {
        isRevoked ||= isWork(call)
        if (!isRevoked) return undefined
        turn.inject('401')
        return jsonReply({ error: 'invalid_token' }, 401, { 'www-authenticate': 'Bearer error="invalid_token"' })
      },
      judge (evidence) {
        const [first] = injectedIn(evidence)
        if (!first) return notExercised('The client sent no request after its first steps.')
        const again = afterInjection(evidence).filter((exchange) => isSameRequest(exchange, first))
        if (again.length > MAX_AGAIN) {
          return fail('breaks the rule', `It sent the request ${again.length} more times.`, again[MAX_AGAIN]?.number)
        }
        return judgeCoping(evidence, { mayFail: true })
      }
    }
  }
}

export const refusals: readonly Profile[] = [
  later('too-many-requests', 429, `429 with Retry-After: ${WAIT_SECONDS}`, seconds, WAIT_SECONDS * 1000 - 50),
  later('too-many-requests-date', 429, '429 with a date in Retry-After', date, WAIT_SECONDS * 1000 - DATE_MS - 50),
  later('unavailable', 503, `503 with Retry-After: ${WAIT_SECONDS}`, seconds, WAIT_SECONDS * 1000 - 50),
  later('unavailable-date', 503, '503 with a date in Retry-After', date, WAIT_SECONDS * 1000 - DATE_MS - 50),
  later(
    'retry-after-nonsense',
    429,
    '429 with nonsense in Retry-After',
    () => ({ 'retry-after': 'next Tuesday, -7' }),
    0,
    {
      kind: 'illegal',
      ...nowhere,
      expects: 'ignore the header: send the request again after a time of its own, or report an error',
      judgedBy: `the client continues or its process ends with an error, after at most ${MAX_AGAIN} repetitions`
    }
  ),
  later('server-error', 500, 'one request is answered by 500', () => ({}), 0, {
    ...nowhere,
    expects: 'send the request again or report an error, and go on',
    judgedBy: `the client continues or its process ends with an error, after at most ${MAX_AGAIN} repetitions`
  }),
  revoked
]
