/**
 * A proxy that adds a credential to each request of the official suite, which has no option for one. A request that the
 * target limits is sent again when the target's time is over.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startProxy } from '../../../client-testing/proxy/proxy.js'
import type { Reply } from '../../../client-testing/proxy/reply.js'

const MAX_WAITS = 5
const MAX_WAIT_S = 120

/** Forwards each request to `target`, with `bearer`. Foreign host names pass: the suite tests what comes of them. */
export const bearerProxy = async (
  target: URL, bearer: string | undefined, onWait: (seconds: number) => void = () => {}
): Promise<{ url: string, limited: () => number, close: () => Promise<void> }> => {
  // Requests that the target refused in the end: failures of the suite may come from them.
  let limited = 0
  const proxy = await startProxy({
    target,
    token: bearer,
    name: 'localhost',
    anyHost: true,
    interceptor: {
      async reply (first, { signal }, { forward }) {
        let reply = first
        for (let wait = 0; wait < MAX_WAITS; wait++) {
          const seconds = retryAfter(reply)
          if (seconds === undefined) break
          onWait(seconds)
          await sleep(seconds * 1000, undefined, { signal })
          reply = await forward()
        }
        if (reply.status === 429) limited++
        return reply
      }
    }
  })
  return { url: proxy.url, limited: () => limited, close: proxy.close }
}

/** Seconds that a target which limits requests says to wait; undefined for another answer, or too long a time. */
const retryAfter = (reply: Reply): number | undefined => {
  const after = reply.kind === 'raw' ? '' : reply.headers['retry-after'] ?? ''
  const seconds = reply.status === 429 && /^\d{1,6}$/.test(after) ? Number(after) : Infinity
  return seconds <= MAX_WAIT_S ? seconds : undefined
}
