/**
 * `npm run faults`: what goes wrong with what the replicas stand on, while they are under load. Prints for each fault how many calls were
 * sent, answered, refused with 503 and when to try again, answered by none, answered wrongly; answered calls that the audit log lacks; and
 * how long after the fault was over all were answered again. Wrong answers and lost rows have to be 0.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { cluster, type Outcome } from './cluster.js'

const SECONDS = Number(process.env['FAULT_SECONDS'] ?? 8)
const CALLERS = 8
const CALM_MS = 500

type Cluster = Awaited<ReturnType<typeof cluster>>

const until = async (end: number, work: () => Promise<void>): Promise<void> => {
  while (performance.now() < end) await work()
}

const away = async (what: { shut (): Promise<void>, open (): Promise<void> }): Promise<void> => {
  await sleep(1000)
  await what.shut()
  await sleep(2000)
  await what.open()
}
const silent = async (what: { hold (): void, open (): Promise<void> }): Promise<void> => {
  await sleep(1000)
  what.hold()
  await sleep(2000)
  await what.open()
}

const FAULTS: Record<string, (replicas: Cluster, end: number) => Promise<void>> = {
  'none, for comparison': async (_replicas, end) => until(end, () => sleep(100)),
  'a replica is killed every 2 s': async (replicas, end) => {
    let n = 0
    await until(end, async () => {
      await sleep(2000)
      await replicas.end(n % 3, 'SIGKILL')
      await replicas.start(n++ % 3)
    })
  },
  'each replica is restarted in turn': async (replicas) => {
    for (const n of [0, 1, 2]) {
      await sleep(500)
      await replicas.end(n, 'SIGTERM')
      await replicas.start(n)
    }
  },
  'connections to PostgreSQL are cut every second': async ({ database }, end) => until(end, async () => {
    await sleep(1000)
    database.cut()
  }),
  'PostgreSQL is away for 2 s': async ({ database }) => away(database),
  'PostgreSQL is silent for 2 s': async ({ database }) => silent(database),
  'Valkey is away for 2 s': async ({ valkey }) => away(valkey),
  'Valkey is silent for 2 s': async ({ valkey }) => silent(valkey)
}

const replicas = await cluster()
let failures = 0
try {
  console.log(['fault', 'sent', 'answered', 'refused', 'no answer', 'wrong', 'audit rows lost', 'ms to recover'].join(' | '))
  for (const [fault, make] of Object.entries(FAULTS)) {
    const counts: Record<Outcome, number> = { answered: 0, refused: 0, failed: 0, wrong: 0 }
    const before = await replicas.recorded()
    let sent = 0
    const over = new AbortController()
    let lastBad = 0
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!over.signal.aborted) {
        const outcome = await replicas.call(++sent)
        counts[outcome]++
        if (outcome !== 'answered') {
          lastBad = performance.now()
          await sleep(50)
        }
      }
    })
    await make(replicas, performance.now() + SECONDS * 1000)
    const ended = performance.now()
    await until(ended + 30_000, async () => {
      await sleep(20)
      if (performance.now() - Math.max(lastBad, ended) > CALM_MS) throw new Error('calm')
    }).catch(() => {})
    over.abort()
    await Promise.all(callers)
    const lost = Math.max(0, counts.answered - (await replicas.recorded() - before))
    if (counts.wrong > 0 || lost > 0) failures++
    console.log([fault, sent, counts.answered, counts.refused, counts.failed, counts.wrong, lost, Math.max(0, Math.round(lastBad - ended))].join(' | '))
  }
} finally {
  await replicas.close()
}
process.exit(failures === 0 ? 0 : 1)
