/** Profiles: revisions that are negotiated, refused, or never existed. */
import { idOf, isRequest } from '../proxy/client-request.js'
import { errorReply, jsonReply, withResult } from '../proxy/reply.js'
import type { Exchange } from '../proxy/exchange.js'
import {
  COPING_OR_FAILING,
  afterInjection,
  fail,
  injectedIn,
  judgeCoping,
  judgeProcess,
  judgeRefusing,
  notExercised,
  pass
} from './judges.js'
import type { Evidence, Judgement, Profile } from './profile.js'
import { answerOnce, once } from './targets.js'

const NEGOTIATION = 'basic/lifecycle#version-negotiation'
const VERSION = 'mcp-protocol-version'
const OLDER = '2025-06-18'

const legacy = { family: 'revisions', eras: ['legacy'], legacy: NEGOTIATION } as const
const modern = { family: 'revisions', eras: ['modern'] } as const

/** The requests of a session, after its handshake. */
const inSession = (later: readonly Exchange[]): Exchange[] =>
  later.filter(({ call, method }) => method === 'POST' && !isRequest(call, 'initialize'))

const judgeOlder = (evidence: Evidence): Judgement => {
  const other = inSession(afterInjection(evidence)).find(({ headers }) => headers[VERSION] !== OLDER)
  return other
    ? fail(
      'breaks the rule',
        `It continues with ${String(other.headers[VERSION] ?? 'no version header')} instead of ${OLDER}.`,
        other.number
    )
    : judgeCoping(evidence, { mayFail: true })
}

const older: Profile = {
  ...legacy,
  id: 'revision-older',
  kind: 'legal',
  level: 'MUST',
  happens: `initialize is answered with the older revision ${OLDER}`,
  expects: 'speak that revision, or disconnect',
  judgedBy: 'each later request names the older revision in its header, or the process ends with an error',
  create: () => ({
    async answer (call, interception) {
      const { message } = call
      if (message?.kind !== 'request' || message.method !== 'initialize') return undefined
      interception.inject(`revision ${OLDER}`)
      const params = { ...message.params, protocolVersion: OLDER }
      const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, method: 'initialize', params })
      return interception.forward({ body })
    },
    judge: judgeOlder
  })
}

const versionProfile = (id: string, happens: string, version: unknown): Profile => ({
  ...legacy,
  id,
  kind: 'illegal',
  level: 'SHOULD',
  happens,
  expects: 'disconnect with an error',
  judgedBy: 'no message but the end of the session follows, and the process neither hangs nor dies',
  create: () => {
    const first = once()
    return {
      reply (reply, call, interception) {
        if (!isRequest(call, 'initialize') || !first()) return reply
        interception.inject(happens)
        return withResult(reply, idOf(call), (result) => ({ ...result, protocolVersion: version }))
      },
      judge: (evidence) => judgeRefusing(evidence, (later) => inSession(later)[0])
    }
  }
})

const judgeChoice = (evidence: Evidence): Judgement => {
  const [first] = injectedIn(evidence)
  if (!first) return notExercised('The client sent no request of revision 2026-07-28.')
  const again = afterInjection(evidence).filter(({ injected }) => injected !== undefined)
  const [, second] = again
  if (second) return fail('breaks the rule', 'It continues with the revision that was refused.', second.number)
  const initialization = afterInjection(evidence).find(({ call }) => isRequest(call, 'initialize'))
  return judgeProcess(evidence, first.number, { mayFail: !initialization }) ?? (initialization
    ? pass('copes', 'It chose a revision of the list.', initialization.number)
    : pass('copes', 'It went no further.', first.number))
}

const versionRefused: Profile = {
  ...modern,
  id: 'version-unsupported',
  kind: 'legal',
  level: 'SHOULD',
  modern: 'basic/versioning#protocol-version-negotiation',
  happens: 'each request of 2026-07-28 is refused with -32022 and the list 2025-11-25, 2025-06-18',
  expects: 'choose a revision of the list, or report an error',
  judgedBy: 'initialize follows or the process ends with an error; the refused revision is tried at most once more',
  create: () => ({
    answer (call, interception) {
      if (call.era !== 'modern') return undefined
      interception.inject('-32022')
      const data = { supported: ['2025-11-25', '2025-06-18'], requested: '2026-07-28' }
      return errorReply(idOf(call), { code: -32022, message: 'Unsupported protocol version', data }, 400)
    },
    judge: judgeChoice
  })
}

const legacyServer: Profile = {
  ...modern,
  id: 'server-of-before',
  kind: 'legal',
  level: 'SHOULD',
  modern: 'basic/versioning#backward-compatibility-with-initialization-based-versions',
  happens: 'the server knows no revision without a handshake: it answers 400 in words of its own',
  expects: 'begin with initialize, or report an error',
  judgedBy: 'initialize follows or the process ends with an error',
  create: () => ({
    answer (call, interception) {
      if (call.era !== 'modern') return undefined
      interception.inject('400 of a server of before')
      return jsonReply(
        { jsonrpc: '2.0', error: { code: -32000, message: 'Bad Request: Server not initialized' }, id: null },
        400
      )
    },
    judge: judgeChoice
  })
}

const headerMismatch: Profile = {
  ...modern,
  id: 'header-mismatch',
  kind: 'legal',
  level: 'SHOULD',
  modern: 'basic/transports/streamable-http#server-validation',
  happens: 'one request is refused with 400 and -32020: a header disagrees with the body',
  expects: 'send it again or report an error, and go on',
  judgedBy: COPING_OR_FAILING,
  create: () => answerOnce(
    '-32020',
    (call) => errorReply(idOf(call), { code: -32020, message: 'Header mismatch' }, 400),
    (evidence) => judgeCoping(evidence, { mayFail: true }),
    'modern'
  )
}

const unknownResultType: Profile = {
  ...modern,
  id: 'result-type-unknown',
  kind: 'illegal',
  level: 'MUST',
  modern: 'basic#resulttype',
  happens: 'a result has a resultType that no revision knows',
  expects: 'report an error',
  judgedBy: 'nothing of the result is used',
  create: ({ marker }) => answerOnce(
    'an unknown resultType',
    (call) => jsonReply({
      jsonrpc: '2.0',
      id: idOf(call),
      result: {
        resultType: 'tentative',
        content: [{ type: 'text', text: marker }],
        tools: [],
        resources: [],
        prompts: [],
        nextCursor: marker
      }
    }),
    (evidence) => judgeRefusing(evidence),
    'modern'
  )
}

export const versions: readonly Profile[] = [
  older,
  versionProfile('revision-unknown', 'initialize is answered with a revision that does not exist', '2099-12-31'),
  versionProfile(
    'revision-without-handshake', 'initialize is answered with 2026-07-28, which has no handshake', '2026-07-28'
  ),
  versionProfile('revision-no-text', 'initialize is answered with a revision that is a number', 20251125),
  versionRefused,
  legacyServer,
  headerMismatch,
  unknownResultType
]
