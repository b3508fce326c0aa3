/** Profiles: revisions that are negotiated, refused, or never existed. */
import { isRequest, paramsOf, type Exchange } from '../proxy/exchange.js'
import { errorReply, jsonReply, resultReply, withResult } from '../proxy/reply.js'
import {
  breaks, copes, fromFirst, ILLEGAL, judgeCopingOrFailing, judgeProcess, LEGAL_REFUSAL, refusingJudge
} from './judges.js'
import type { ProfileRow } from './profile.js'
import { answerEach, answerOnce, changeReplies, markedResult, once } from './targets.js'

const VERSION = 'mcp-protocol-version'
const OLDER = '2025-06-18'

const legacy = { legacy: 'basic/lifecycle#version-negotiation' }
const modern = { kind: 'legal', level: 'SHOULD' } as const

const inSession = (later: readonly Exchange[]): Exchange[] =>
  later.filter(({ call, method }) => method === 'POST' && !isRequest(call, 'initialize'))

const wrongVersion = (id: string, happens: string, version: unknown): ProfileRow => ({
  ...legacy,
  id,
  kind: 'illegal',
  level: 'SHOULD',
  happens,
  expects: 'disconnect with an error',
  judgedBy: 'no message but the end of the session follows, and the process neither hangs nor dies',
  create () {
    const first = once()
    return changeReplies(happens, (reply, call) => isRequest(call, 'initialize') && first()
      ? withResult(reply, call, (result) => ({ ...result, protocolVersion: version }))
      : undefined)
  },
  judge: refusingJudge((later) => inSession(later)[0])
})

const judgeChoice = fromFirst('The client sent no request of revision 2026-07-28.', (first, later, evidence) => {
  const [, second] = later.filter(({ injected }) => injected !== undefined)
  if (second) return breaks('It continues with the revision that was refused.', second)
  const initialization = later.find(({ call }) => isRequest(call, 'initialize'))
  return judgeProcess(evidence, first, { mayFail: !initialization }) ?? (initialization
    ? copes('It chose a revision of the list.', initialization)
    : copes('It went no further.', first))
})

export const versions: readonly ProfileRow[] = [
  {
    ...legacy,
    id: 'revision-older',
    kind: 'legal',
    level: 'MUST',
    happens: `initialize is answered with the older revision ${OLDER}`,
    expects: 'speak that revision, or disconnect',
    judgedBy: 'each later request names the older revision in its header, or the process ends with an error',
    create: () => answerEach(`revision ${OLDER}`, (call) => isRequest(call, 'initialize'), (call, turn) => {
      const params = { ...paramsOf(call), protocolVersion: OLDER }
      return turn.forward({ body: JSON.stringify({ ...JSON.parse(call.body.toString()), params }) })
    }),
    judge: fromFirst('The client sent no request to which this happens.', (_first, later, evidence) => {
      const other = inSession(later).find(({ headers }) => headers[VERSION] !== OLDER)
      const named = String(other?.headers[VERSION] ?? 'no version header')
      return other ? breaks(`It continues with ${named} instead of ${OLDER}.`, other) : judgeCopingOrFailing(evidence)
    })
  },
  wrongVersion('revision-unknown', 'initialize is answered with a revision that does not exist', '2099-12-31'),
  wrongVersion(
    'revision-without-handshake', 'initialize is answered with 2026-07-28, which has no handshake', '2026-07-28'),
  wrongVersion('revision-no-text', 'initialize is answered with a revision that is a number', 20251125),
  {
    ...modern,
    id: 'version-unsupported',
    modern: 'basic/versioning#protocol-version-negotiation',
    happens: 'each request of 2026-07-28 is refused with -32022 and the list 2025-11-25, 2025-06-18',
    expects: 'choose a revision of the list, or report an error',
    judgedBy: 'initialize follows or the process ends with an error; the refused revision is tried at most once more',
    create: () => answerEach('-32022', ({ era }) => era === 'modern', (call) => {
      const data = { supported: ['2025-11-25', '2025-06-18'], requested: '2026-07-28' }
      return errorReply(call, { code: -32022, message: 'Unsupported protocol version', data }, 400)
    }),
    judge: judgeChoice
  },
  {
    ...modern,
    id: 'server-of-before',
    modern: 'basic/versioning#backward-compatibility-with-initialization-based-versions',
    happens: 'the server knows no revision without a handshake: it answers 400 in words of its own',
    expects: 'begin with initialize, or report an error',
    judgedBy: 'initialize follows or the process ends with an error',
    create: () => answerEach('400 of a server of before', ({ era }) => era === 'modern', () => jsonReply(
      { jsonrpc: '2.0', error: { code: -32000, message: 'Bad Request: Server not initialized' }, id: null }, 400)),
    judge: judgeChoice
  },
  {
    ...modern,
    ...LEGAL_REFUSAL,
    id: 'header-mismatch',
    modern: 'basic/transports/streamable-http#server-validation',
    happens: 'one request is refused with 400 and -32020: a header disagrees with the body',
    expects: 'send it again or report an error, and go on',
    create: () => answerOnce(
      '-32020', (call) => errorReply(call, { code: -32020, message: 'Header mismatch' }, 400), 'modern')
  },
  {
    ...modern,
    ...ILLEGAL,
    id: 'result-type-unknown',
    level: 'MUST',
    modern: 'basic#resulttype',
    happens: 'a result has a resultType that no revision knows',
    expects: 'report an error',
    judgedBy: 'nothing of the result is used',
    create: ({ marker }) => answerOnce('an unknown resultType',
      (call) => resultReply(call, { ...markedResult(call, marker), resultType: 'tentative' }), 'modern')
  }
]
