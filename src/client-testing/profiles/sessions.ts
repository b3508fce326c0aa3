/** Profiles: sessions that end, that do not exist, or whose id is not allowed. */
import { isRequest } from '../proxy/client-request.js'
import { headersWithoutBody, messagesOf, textReply } from '../proxy/reply.js'
import {
  afterInjection,
  COPING,
  fail,
  injectedIn,
  judgeCoping,
  judgeProcess,
  judgeRefusing,
  notExercised,
  pass
} from './judges.js'
import type { Evidence, Judgement, Profile } from './profile.js'
import { isWork, once } from './targets.js'

const common = { family: 'sessions', eras: ['legacy'], legacy: 'basic/transports#session-management' } as const
const SESSION = 'mcp-session-id'

const judgeRenewal = (evidence: Evidence): Judgement => {
  const [first] = injectedIn(evidence)
  if (!first) return notExercised('The client sent no request in a session.')
  const initializations = afterInjection(evidence).filter(({ call }) => isRequest(call, 'initialize'))
  const [opening, second] = initializations
  if (!opening) {
    return (
      judgeProcess(evidence, first.number) ?? fail('breaks the rule', 'It opened no new session.', first.number)
    )
  }
  if (opening.headers[SESSION] !== undefined) {
    return fail('breaks the rule', 'Its initialize has a session id.', opening.number)
  }
  if (second) return fail('breaks the rule', `It sent initialize ${initializations.length} times.`, second.number)
  return judgeProcess(evidence, opening.number) ?? pass('copes', 'It opened a new session.', opening.number)
}

const sessionGone: Profile = {
  ...common,
  id: 'session-gone',
  kind: 'legal',
  level: 'MUST',
  happens: 'a session ends: each of its requests is answered by 404',
  expects: 'open a new session by initialize, once',
  judgedBy: 'exactly one initialize without a session id follows, and the process ends with 0',
  create: () => {
    const dead = new Set<unknown>()
    return {
      answer (call, interception) {
        const id = call.headers[SESSION]
        if (id === undefined) return undefined
        if (dead.size === 0 && isWork(call)) dead.add(id)
        if (!dead.has(id)) return undefined
        interception.inject('404: the session is gone')
        return textReply(
          404,
          'application/json',
          '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"}}'
        )
      },
      judge: judgeRenewal
    }
  }
}

const withoutSessions: Profile = {
  ...common,
  id: 'no-session',
  kind: 'legal',
  level: 'MUST',
  happens: 'the server gives no session id',
  expects: 'work without one',
  judgedBy: COPING,
  create: () => {
    const sessions = new Map<string, string>()
    const ownerOf = (headers: Readonly<Record<string, unknown>>) =>
      `${String(headers['authorization'])} ${String(headers['user-agent'])}`
    return {
      async answer (call, interception) {
        if (call.era === 'modern') return undefined
        const owner = ownerOf(call.headers)
        if (isRequest(call, 'initialize')) {
          const reply = await interception.forward()
          if (reply.kind === 'raw') return reply
          const { [SESSION]: id, ...headers } = reply.headers
          if (id === undefined) return reply
          sessions.set(owner, id)
          interception.inject('no session id')
          return reply.kind === 'stream' ? { ...reply, headers } : { ...reply, headers }
        }
        if (call.method !== 'POST') {
          return textReply(405, 'text/plain', 'There are no sessions here.', { allow: 'POST' })
        }
        const id = sessions.get(owner)
        return id === undefined ? undefined : interception.forward({ headers: { [SESSION]: id } })
      },
      judge: judgeCoping
    }
  }
}

const deleteRefused: Profile = {
  ...common,
  id: 'delete-refused',
  kind: 'legal',
  level: 'SHOULD',
  happens: 'DELETE is answered by 405: the server does not let clients end sessions',
  expects: 'end without an error',
  judgedBy: COPING,
  create: () => ({
    answer (call, interception) {
      if (call.method !== 'DELETE') return undefined
      interception.inject('DELETE answered by 405')
      return textReply(405, 'text/plain', 'Clients do not end sessions here.', { allow: 'POST, GET' })
    },
    judge: judgeCoping
  })
}

const badId = (id: string, happens: string, value: string): Profile => ({
  ...common,
  id,
  kind: 'illegal',
  level: 'SHOULD',
  happens,
  expects: 'refuse the handshake: an id has visible ASCII characters only',
  judgedBy: 'no message follows initialize, and the process neither hangs nor dies',
  create: () => {
    const first = once()
    return {
      async answer (call, interception) {
        if (call.headers[SESSION]?.includes(value.slice(0, 3))) {
          return interception.forward({ headers: { [SESSION]: undefined } })
        }
        if (!isRequest(call, 'initialize') || !first()) return undefined
        const reply = await interception.forward()
        let body = ''
        for await (const message of messagesOf(reply)) body = JSON.stringify(message)
        interception.inject(happens)
        const { [SESSION]: _, ...headers } = headersWithoutBody(reply)
        const lines = Object.entries({
          ...headers,
          'content-type': 'application/json',
          'content-length': `${Buffer.byteLength(body)}`,
          connection: 'close'
        })
        const head = lines.map(([name, text]) => `${name}: ${text}\r\n`).join('')
        return {
          kind: 'raw',
          status: 200,
          bytes: Buffer.from(`HTTP/1.1 200 OK\r\n${head}mcp-session-id: ${value}\r\n\r\n${body}`, 'latin1')
        }
      },
      judge: (evidence) => judgeRefusing(evidence, (later) => later.find(({ call, method }) =>
        method === 'POST' && !isRequest(call, 'initialize')))
    }
  }
})

export const sessions: readonly Profile[] = [
  sessionGone,
  withoutSessions,
  deleteRefused,
  badId('session-id-space', 'the session id has a space in it', 'one two'),
  badId('session-id-control', 'the session id has a control character in it', 'abc\x01def')
]
