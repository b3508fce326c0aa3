/** One run of a client against the correct server behind one profile, or none. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Profile, Evidence, Judgement } from '../profiles/profile.js'
import { judgeLeak, notExercised } from '../profiles/judges.js'
import type { ClientRequest, Exchange } from '../proxy/exchange.js'
import { startProxy } from '../proxy/proxy.js'
import { textReply } from '../proxy/reply.js'
import type { TestServer } from '../test-server.js'
import type { SubjectOutcome } from './subject.js'

export interface ClientUnderTest {
  /** Runs the client against the endpoint; resolves when it has ended. Undefined: someone else starts it. */
  run(url: string): Promise<SubjectOutcome | undefined>
}

export interface RunDeps {
  server: TestServer
  token: string
  client: ClientUnderTest
  /** Factor of all pauses; tests shorten them. */
  pauseFactor?: number
}

export interface RunOutcome {
  exchanges: readonly Exchange[]
  marker: string
  subject: SubjectOutcome | undefined
  judgement: Judgement
}

/** Runs the client once. All ports are closed when it resolves or rejects. */
export const runProfile = async (
  profile: Pick<Profile, 'create' | 'judge'> | undefined, { server, token, client, pauseFactor = 1 }: RunDeps
): Promise<RunOutcome> => {
  const marker = `marker-${randomBytes(6).toString('hex')}`
  const elsewhere = await startProxy({
    target: server.url,
    interceptor: { answer: () => textReply(404, 'text/plain', 'This is another server.') }
  })
  try {
    const interceptor = profile?.create({
      marker,
      token,
      pause: async (ms, signal) => {
        await sleep(ms * pauseFactor, undefined, { signal }).catch(() => {})
      },
      otherOrigin: elsewhere.url
    })
    const proxy = await startProxy({
      target: server.url,
      interceptor,
      credentialOf: (call) => interceptor?.isAuthenticated?.(call) ? '' : credentialName(call, token)
    })
    try {
      const subject = await client.run(proxy.url)
      const { exchanges } = proxy
      const evidence: Evidence = { exchanges, elsewhere: elsewhere.exchanges, subject, marker, token }
      const judgement = judgeLeak(evidence) ?? profile?.judge(evidence) ?? notExercised('')
      return { exchanges, marker, subject, judgement }
    } finally {
      await proxy.close()
    }
  } finally {
    await elsewhere.close()
  }
}

/** Returns what follows the token and a full stop, '' for the token alone, undefined for anything else. */
const credentialName = ({ headers }: ClientRequest, token: string): string | undefined => {
  const { authorization = '' } = headers
  const [, given = ''] = /^Bearer (\S+)$/i.exec(authorization) ?? []
  if (given === token) return ''
  return given.startsWith(`${token}.`) ? given.slice(token.length + 1, token.length + 65) : undefined
}
