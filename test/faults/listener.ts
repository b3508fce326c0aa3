/** Someone who listens to one exploration on one replica, and comes back whenever the stream is over. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stream } from '../helpers/wire.js'
import { wireOf } from './client.js'
import type { Served } from './cluster.js'

const TIMEOUT_MS = 10_000
const PAUSE_MS = 100

export const listener = ({ addresses, key, exploration, change: makeChange }: Served, n: number) => {
  const notifications = { resourceSubscriptions: [`service://exploration/${exploration}`] }
  let stream: Stream | undefined
  const closing = new AbortController()
  let opened = 0
  let heard = 0
  let wake = (): void => {}

  const listen = async (): Promise<void> => {
    stream = await wireOf(addresses[n]!, key).modern('subscriptions/listen', { notifications }, randomUUID())
    for (let message = await stream.message(); message; message = await stream.message()) {
      if (message.method === 'notifications/subscriptions/acknowledged') opened++
      if (message.method === 'notifications/resources/updated') heard++
      wake()
    }
  }
  const listening = (async () => {
    while (!closing.signal.aborted) {
      await listen().catch(() => {})
      if (!closing.signal.aborted) await sleep(PAUSE_MS)
    }
  })()

  const until = async (isSo: () => boolean): Promise<boolean> => {
    const end = performance.now() + TIMEOUT_MS
    while (!isSo() && performance.now() < end) await Promise.race([new Promise<void>((resolve) => { wake = resolve }), sleep(PAUSE_MS)])
    return isSo()
  }

  return {
    ready: () => until(() => opened > 0),
    /** Whether a change that is made now is heard of, also by a listener who has to come back first. */
    async hears () {
      const before = heard
      const [first] = await Promise.all([until(() => heard > before), change()])
      return first || await Promise.all([until(() => heard > before), change()]).then(([second]) => second)
    },
    async close () {
      closing.abort()
      stream?.close()
      await listening
    }
  }

  /** Anyone who looks on may be the first to find that its connection was lost. */
  async function change (attempts = 10): Promise<void> {
    const done = await makeChange()
      .then(() => true, (error: unknown) => {
        if (attempts === 1) throw error
        return false
      })
    if (done) return
    await sleep(PAUSE_MS)
    await change(attempts - 1)
  }
}
