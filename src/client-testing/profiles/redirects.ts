/** Profiles: redirects, to the same origin and to another one. */
import { textReply } from '../proxy/reply.js'
import { breaks, copes, fromFirst, judgeCopingOrFailing, judgeLeak, judgeProcess } from './judges.js'
import type { Profile } from './profile.js'
import { answerEach, answerOnce, isWork } from './targets.js'

const common = { family: 'redirects', eras: ['legacy', 'modern'] } as const
const PATH = '/mcp/'
const NONE = 'The client sent no request after its first steps.'

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
  create: () => answerEach(`redirected by ${status}`, (call) => isWork(call) && !call.url.startsWith(PATH),
    () => textReply(status, 'text/plain', '', { location: PATH })),
  judge: fromFirst(NONE, (first, later, evidence) => {
    const next = later.find(({ url }) => url.startsWith(PATH))
    return next && (next.method !== first.method || next.body !== first.body)
      ? breaks(`It followed with ${next.method} and another body.`, next)
      : judgeCopingOrFailing(evidence)
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
    create: ({ otherOrigin }) => answerOnce('redirected to another origin',
      () => textReply(307, 'text/plain', '', { location: otherOrigin })),
    judge: fromFirst(NONE, (first, _later, evidence) =>
      judgeLeak(evidence) ?? judgeProcess(evidence, first, { mayFail: true }) ?? copes(
        evidence.elsewhere.length > 0 ? 'It followed without the credential.' : 'It did not follow.', first))
  }
]
