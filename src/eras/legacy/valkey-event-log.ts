/**
 * What was said on the streams of legacy calls, in Valkey: a client that lost its replica gets the rest from another. Each stream is a
 * Valkey stream whose first entry names its session; message n is entry 0-(n + 1). Bounded in length, gone a while after its last message.
 */
import type { EventLog, LoggedEvent } from './event-log.js'
import type { Valkey } from '../../store/valkey.js'

const KEEP_MS = 300_000
// Longer than a call may last.
const OWNER_KEEP_MS = 3_600_000
const MOST_MESSAGES = 1000
const WOKEN = 'exploration-mcp:event'
/** A follower looks by itself now and then, should it have missed that it was woken. */
const LOOK_EVERY_MS = 1000

const keyOf = (stream: string): string => `exploration-mcp:events:${stream}`
const placeOf = (id: string): number => Number(id.split('-')[1])

export const valkeyEventLog = (valkey: Valkey): EventLog => {
  const { commands } = valkey
  const followers = new Map<string, Set<() => void>>()
  valkey.hear(WOKEN, (stream) => {
    for (const wake of followers.get(stream) ?? []) wake()
  })

  /** The message's number; 0 when it could not be kept, so that a client that comes back with it is told everything again. */
  const add = async (stream: string, field: string, value: string): Promise<number> => {
    const key = keyOf(stream)
    const done = await commands.multi()
      .call('XADD', key, 'NOMKSTREAM', 'MAXLEN', `${MOST_MESSAGES}`, '0-*', field, value)
      .pexpire(key, KEEP_MS)
      .publish(WOKEN, stream)
      .exec().catch(() => null)
    const id = done?.[0]?.[1]
    return typeof id === 'string' ? placeOf(id) - 1 : 0
  }

  async function * following (stream: string, after: number, signal: AbortSignal): AsyncGenerator<LoggedEvent, void, unknown> {
    let woken = false
    let wake = (): void => {}
    const go = (): void => {
      woken = true
      wake()
    }
    const all = followers.get(stream) ?? new Set()
    followers.set(stream, all.add(go))
    signal.addEventListener('abort', go)
    try {
      while (!signal.aborted) {
        woken = false
        const entries = await commands.xrange(keyOf(stream), `(0-${after + 1}`, '+', 'COUNT', 100)
        for (const [id, [field, value = '']] of entries) {
          if (field === 'end') return
          after = placeOf(id) - 1
          yield { number: after, data: value }
        }
        if (entries.length > 0) continue
        if (await commands.exists(keyOf(stream)) === 0) return
        await new Promise<void>((resolve) => {
          wake = resolve
          if (woken || signal.aborted) resolve()
          else setTimeout(resolve, LOOK_EVERY_MS).unref()
        })
      }
    } finally {
      all.delete(go)
      if (all.size === 0) followers.delete(stream)
      signal.removeEventListener('abort', go)
    }
  }

  return {
    async open (stream, session) {
      // Away: the call goes on, and its stream cannot be taken up again.
      await commands.multi().xadd(keyOf(stream), '0-1', 'session', session)
        .set(`${keyOf(stream)}:of`, session, 'PX', OWNER_KEEP_MS).pexpire(keyOf(stream), KEEP_MS).exec().catch(() => {})
    },

    append: (stream, data) => add(stream, 'data', data),

    async end (stream) {
      await add(stream, 'end', '')
    },

    async follow (stream, session, after, signal) {
      const [owner, [first], [last]] = await Promise.all([
        commands.get(`${keyOf(stream)}:of`),
        commands.xrange(keyOf(stream), '-', '+', 'COUNT', 1),
        commands.xrevrange(keyOf(stream), '+', '-', 'COUNT', 1)
      ])
      if (owner !== session || !first || !last) return undefined
      const known = after + 1 <= placeOf(last[0]) - (last[1][0] === 'end' ? 1 : 0)
      return known && placeOf(first[0]) <= after + 2 ? following(stream, after, signal) : undefined
    }
  }
}
