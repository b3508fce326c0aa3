/** Profiles: sessions that end, that do not exist, or whose id is not allowed. */
import { isRequest } from '../proxy/exchange.js'
import { headersWithoutBody, messagesOf, textReply } from '../proxy/reply.js'
import { breaks, copes, fromFirst, judgeProcess, LEGAL, refusingJudge } from './judges.js'
import type { ProfileRow } from './profile.js'
import { answerEach, isWork, once } from './targets.js'

const SESSION = 'mcp-session-id'
const common = { ...LEGAL, legacy: 'basic/transports#session-management' } as const

const badId = (id: string, happens: string, value: string): ProfileRow => ({
  ...common,
  id,
  kind: 'illegal',
  level: 'SHOULD',
  happens,
  expects: 'refuse the handshake: an id has visible ASCII characters only',
  judgedBy: 'no message follows initialize, and the process neither hangs nor dies',
  create () {
    const first = once()
    return {
      async answer (call, turn) {
        if (call.headers[SESSION]?.includes(value.slice(0, 3))) {
          return turn.forward({ headers: { [SESSION]: undefined } })
        }
        if (!isRequest(call, 'initialize') || !first()) return undefined
        const reply = await turn.forward()
        let body = ''
        for await (const message of messagesOf(reply)) body = JSON.stringify(message)
        turn.inject(happens)
        const head = Object.entries({
          ...headersWithoutBody(reply),
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          connection: 'close',
          [SESSION]: value
        }).map(([name, text]) => `${name}: ${text}\r\n`).join('')
        return { kind: 'raw', status: 200, bytes: Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n${body}`, 'latin1') }
      }
    }
  },
  judge: refusingJudge((later) =>
    later.find(({ call, method }) => method === 'POST' && !isRequest(call, 'initialize')))
})

export const sessions: readonly ProfileRow[] = [
  {
    ...common,
    id: 'session-gone',
    level: 'MUST',
    happens: 'a session ends: each of its requests is answered by 404',
    expects: 'open a new session by initialize, once',
    judgedBy: 'exactly one initialize without a session id follows, and the process ends with 0',
    create () {
      let gone: unknown
      return answerEach('404: the session is gone', (call) => {
        const id = call.headers[SESSION]
        if (isWork(call)) gone ??= id
        return id !== undefined && id === gone
      }, () => textReply(404, 'application/json',
        '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"}}'))
    },
    judge: fromFirst('The client sent no request in a session.', (first, later, evidence) => {
      const initializations = later.filter(({ call }) => isRequest(call, 'initialize'))
      const [opening, second] = initializations
      if (!opening) return judgeProcess(evidence, first) ?? breaks('It opened no new session.', first)
      if (opening.headers[SESSION] !== undefined) return breaks('Its initialize has a session id.', opening)
      return second
        ? breaks(`It sent initialize ${initializations.length} times.`, second)
        : judgeProcess(evidence, opening) ?? copes('It opened a new session.', opening)
    })
  },
  {
    ...common,
    id: 'no-session',
    level: 'MUST',
    happens: 'the server gives no session id',
    expects: 'work without one',
    create () {
      const sessions = new Map<string, string>()
      return {
        async answer (call, turn) {
          if (call.era === 'modern') return undefined
          const owner = `${call.headers.authorization} ${call.headers['user-agent']}`
          if (isRequest(call, 'initialize')) {
            const reply = await turn.forward()
            if (reply.kind === 'raw') return reply
            const { [SESSION]: id, ...headers } = reply.headers
            if (id === undefined) return reply
            sessions.set(owner, id)
            turn.inject('no session id')
            return { ...reply, headers }
          }
          if (call.method !== 'POST') {
            return textReply(405, 'text/plain', 'There are no sessions here.', { allow: 'POST' })
          }
          const id = sessions.get(owner)
          return id === undefined ? undefined : turn.forward({ headers: { [SESSION]: id } })
        }
      }
    }
  },
  {
    ...common,
    id: 'delete-refused',
    level: 'SHOULD',
    happens: 'DELETE is answered by 405: the server does not let clients end sessions',
    expects: 'end without an error',
    create: () => answerEach('DELETE answered by 405', ({ method }) => method === 'DELETE',
      () => textReply(405, 'text/plain', 'Clients do not end sessions here.', { allow: 'POST, GET' }))
  },
  badId('session-id-space', 'the session id has a space in it', 'one two'),
  badId('session-id-control', 'the session id has a control character in it', 'abc\x01def')
]
