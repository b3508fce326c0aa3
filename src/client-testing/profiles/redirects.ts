/** Profiles: redirects, to the same origin and to another one. */
import { textReply } from '../proxy/reply.js'
import {
  afterInjection,
  fail,
  judgeCoping,
  judgeLeak,
  judgeProcess,
  injectedIn,
  notExercised,
  pass
} from './judges.js'
import type { Profile } from './profile.js'
import { answerOnce, isWork } from './targets.js'

const common = {
  family: 'redirects',
  eras: ['legacy', 'modern']
} as const

const PATH = '/mcp/'

const redirectProfile = (status: 307 | 308): Profile => ({
  ...common,
  id: `redirect-${status}`,
  kind: 'legal',
  level: 'SHOULD',
  rfc: status === 307 ? '9110#section-15.4.8' : '9110#section-15.4.9',
  happens: `requests to /mcp are redirected by ${status} to /mcp/ of the same origin`,
  expects: 'send the same request there, or report an error',
  judgedBy:
    'a request that follows the redirect has the method, the body and the credential of the first; or the process ' +
    'ends with an error',
  create: () => ({
    answer (call, turn) {
      if (!isWork(call) || call.url.startsWith(PATH)) return undefined
      turn.inject(`redirected by ${status}`)
      return textReply(status, 'text/plain', '', { location: PATH })
    },
    judge (evidence) {
      const [first] = injectedIn(evidence)
      if (!first) return notExercised('The client sent no request after its first steps.')
      const nextRequest = afterInjection(evidence).find(({ url }) => url.startsWith(PATH))
      if (nextRequest && (nextRequest.method !== first.method || nextRequest.body !== first.body)) {
        return fail('breaks the rule', `It followed with ${nextRequest.method} and another body.`, nextRequest.number)
      }
      return judgeCoping(evidence, { mayFail: true })
    }
  })
})

export const redirects: readonly Profile[] = [
  redirectProfile(307),
  redirectProfile(308),
  {
    ...common,
    id: 'redirect-other-origin',
    kind: 'illegal',
    level: 'MUST',
    legacy: 'basic/authorization#token-handling',
    modern: 'basic/authorization#token-handling',
    happens: 'a request is redirected by 307 to a server of another origin',
    expects: 'not send the credential there',
    judgedBy: 'the token never arrives at the other server, and the process neither hangs nor dies',
    create: ({ otherOrigin }) => answerOnce(
      'redirected to another origin',
      () => textReply(307, 'text/plain', '', { location: otherOrigin }),
      (evidence) => {
        const [first] = injectedIn(evidence)
        if (!first) return notExercised('The client sent no request after its first steps.')
        const leak = judgeLeak(evidence)
        if (leak) return { ...leak, exchange: first.number }
        return judgeProcess(evidence, first.number, { mayFail: true }) ?? pass(
          'copes',
          evidence.elsewhere.length > 0 ? 'It followed without the credential.' : 'It did not follow.',
          first.number
        )
      }
    )
  }
]
