/** What goes on while something goes wrong: calls of three kinds from several callers, and listeners who have to hear of each change. */
import { setTimeout as sleep } from 'node:timers/promises'
import { client, type Outcome } from './client.js'
import type { Served } from './cluster.js'
import { listener } from './listener.js'

export interface Figures extends Record<Outcome, number> {
  sent: number
  /** Audit events that answered calls lack. */
  lost: number
  recoverMs: number
}

const CALM_MS = 500
const TIMEOUT_MS = 30_000
// A caller that got no answer does not hammer.
const PAUSE_MS = 50

/** @param pauseMs how long a caller waits after an answer, before its next call */
export const load = async (served: Served, name: string, callers = 8, pauseMs = 0) => {
  const asking = client(served, name)
  const listeners = served.addresses.map((_, n) => listener(served, n))
  const counts: Record<Outcome, number> = { answered: 0, refused: 0, failed: 0, wrong: 0 }
  const answered = new Map<string, number>()
  const over = new AbortController()
  let sent = 0
  let lastBad = 0

  const call = async (session: string, caller: string): Promise<void> => {
    const id = ++sent
    const modern = id % 3 === 0
    const as = modern ? `${id}` : caller
    const outcome = await (modern ? asking.modern(id, as) : id % 3 === 1 ? asking.legacy(id, session) : asking.streamed(id, session))
    counts[outcome]++
    if (outcome === 'answered') {
      answered.set(as, (answered.get(as) ?? 0) + 1)
      if (pauseMs > 0) await sleep(pauseMs)
    } else {
      lastBad = performance.now()
      await sleep(PAUSE_MS)
    }
  }
  const sessions = await Promise.all(Array.from({ length: callers }, (_, n) => asking.session(`caller ${n}`)))
  await Promise.all(listeners.map(({ ready }) => ready()))
  const calling = sessions.map(async (session, n) => { while (!over.signal.aborted) await call(session, `caller ${n}`) })

  const lost = async (): Promise<number> => {
    const recorded = new Map((await served.audited(name)).map(({ as, n }) => [as, n]))
    return [...answered].reduce((sum, [as, n]) => sum + Math.max(0, n - (recorded.get(as) ?? 0)), 0)
  }

  return {
    /** Resolves when the load is over: when all calls were answered for a while. */
    async finish (): Promise<Figures> {
      const ended = performance.now()
      while (performance.now() - Math.max(lastBad, ended) < CALM_MS && performance.now() - ended < TIMEOUT_MS) await sleep(20)
      const recoverMs = Math.max(0, Math.round(lastBad - ended))
      over.abort()
      await Promise.all(calling)
      // Each listener hears of a change now, and none of one that was not made.
      const deaf = await Promise.all(listeners.map((one) => one.hears()))
      counts.wrong += deaf.filter((hears) => !hears).length
      await Promise.all(listeners.map((one) => one.close()))
      return { sent, ...counts, lost: await lost(), recoverMs }
    }
  }
}
