/** Records the exchanges between a client and a server, through a proxy on 127.0.0.1, without secrets. */
import { nextTurn } from '../../lib/async/event-loop-yield.js'
import type { ClientRequest } from '../proxy/exchange.js'
import { startProxy } from '../proxy/proxy.js'
import { createRedactor, secretsIn, toSafeExchange } from '../redact.js'
import { createRecording, MAX_RECORDED_EXCHANGES } from './write-recording.js'

const MAX_SECRETS = 100

/** Each exchange is written when its reply has ended. Without `token` the client's own is passed on. */
export const startRecorder = async (
  { target, token, file }: { target: URL, token?: string | undefined, file: string }
) => {
  const knownSecrets = new Set(token === undefined ? [] : [token])
  let redactor = createRedactor([...knownSecrets])
  /** What a client sends as its credential, or under the name of a secret, is a secret wherever else it stands. */
  const learn = ({ headers, message }: ClientRequest): void => {
    const credential = /^\S+ (\S{6,})$/.exec(headers.authorization ?? '')?.[1]
    const newSecrets = [credential ?? [], secretsIn(message)].flat().filter((secret) => !knownSecrets.has(secret))
    if (newSecrets.length === 0 || knownSecrets.size > MAX_SECRETS) return
    for (const secret of newSecrets.slice(0, MAX_SECRETS)) knownSecrets.add(secret)
    redactor = createRedactor([...knownSecrets])
  }
  const writer = await createRecording(file, `${target.origin}${target.pathname}`)
  const proxy = await startProxy({
    target,
    maxExchanges: MAX_RECORDED_EXCHANGES,
    token,
    onExchange (exchange) {
      learn(exchange.call)
      writer.add(toSafeExchange(exchange, redactor))
    }
  })
  return {
    url: proxy.url,
    async close () {
      await proxy.close()
      // Replies that the end of the proxy cut are noted by then.
      await nextTurn()
      return writer.close()
    }
  }
}
