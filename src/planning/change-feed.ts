/** Tells what was written, by whichever process: reads what changed now and then, while there is somebody to tell. */
import { runForAll } from '../lib/caller-context.js'

export interface ChangedRow {
  /** The transaction and the number in it, such as `771.42`: rows have an order, and whoever heard one goes on after it. */
  position: string
  workspace_id: string | null
  exploration_id: string | null
  artifact_type: string | null
  /** Whose memberships changed. */
  user_id: string | null
  /** What no longer works. */
  credential_id: string | null
}

/** Where it is read. */
export interface ChangeSource {
  /** What changes from now on comes after it. */
  position (): Promise<string>
  /** What came after a position, in order; at most so many rows as one reading takes. */
  after (position: string): Promise<ChangedRow[]>
  /** The credentials that ended in the minute before. */
  endedLately (): Promise<string[]>
  /** Lets go of what nobody goes on after any more. */
  purge (): Promise<void>
}

export interface AccessWatcher {
  needed: () => boolean
  /** A credential no longer works; also told of those of the minute before. */
  gone: (credential: string) => void
  /** A user's memberships changed. */
  moved: (user: string) => void
}

export interface ChangeFeed {
  /** What changes from now on comes after it. */
  position (): Promise<string>
  /** What comes after a position, in batches, until the signal fires or the feed closes. */
  follow (after: string, signal: AbortSignal): AsyncGenerator<readonly ChangedRow[], void, unknown>
  /** Tells whose access changes, while that is needed. */
  watchAccess (watcher: AccessWatcher): void
  close (): void
}

/** Of one reading. */
export const MOST_ROWS = 1000

const EVERY_MS = 250
const PURGE_EVERY_MS = 3_600_000
/** What waits at most for a follower who is slower than the changes: who has missed some reads them from the source again. */
const MOST_WAITING = 4 * MOST_ROWS

/** `failing` is told once when it cannot be read, with the reason, and, with nothing, once it can be again. */
export const changeFeed = (source: ChangeSource, failing: (error?: unknown) => void): ChangeFeed => {
  const followers = new Set<(rows: readonly ChangedRow[]) => void>()
  // What wakes the followers when the feed closes.
  const stops = new Set<() => void>()
  let watcher: AccessWatcher | undefined
  let seen: string | undefined
  let beginning: Promise<void> | undefined
  let reading = false
  const closing = new AbortController()
  let purged = -Infinity
  let broken = false

  /** From where the shared reading goes on, after nobody needed it. */
  const begin = async (): Promise<void> => {
    seen = await source.position()
    for (const id of await source.endedLately()) watcher?.gone(id)
  }
  const begun = (): Promise<void> => {
    beginning ??= runForAll(begin).catch((error: unknown) => {
      beginning = undefined
      throw error
    })
    return beginning
  }

  const read = async (): Promise<void> => {
    if (performance.now() - purged > PURGE_EVERY_MS) {
      purged = performance.now()
      await source.purge()
    }
    await begun()
    const rows = await source.after(seen!)
    if (rows.length === 0) return
    seen = rows.at(-1)!.position
    for (const { credential_id: credential, user_id: user } of rows) {
      if (credential !== null) watcher?.gone(credential)
      if (user !== null) watcher?.moved(user)
    }
    for (const tell of followers) tell(rows)
    if (rows.length >= MOST_ROWS) await read()
  }

  const tellOf = (failure?: { error: unknown }): void => {
    if (broken === (failure !== undefined)) return
    broken = failure !== undefined
    failing(failure?.error)
  }

  const timer = setInterval(() => {
    if (reading) return
    if (followers.size === 0 && !watcher?.needed()) {
      beginning = undefined
      return
    }
    reading = true
    read().then(() => tellOf(), (error: unknown) => tellOf({ error })).finally(() => { reading = false })
  }, EVERY_MS).unref()

  return {
    position: () => source.position(),

    async * follow (from, signal) {
      let waiting: Array<readonly ChangedRow[]> = []
      let held = 0
      // What came before the shared reading began, and what did not fit, comes from the source; what both bring is told once.
      let behind = true
      let wake = (): void => {}
      const tell = (rows: readonly ChangedRow[]): void => {
        behind ||= held + rows.length > MOST_WAITING
        if (behind) {
          waiting = []
          held = 0
        } else {
          waiting.push(rows)
          held += rows.length
        }
        wake()
      }
      const missed = async (): Promise<ChangedRow[]> => {
        behind = false
        const rows = await source.after(from)
        behind ||= rows.length > 0
        return rows
      }
      const heard = (): readonly ChangedRow[] => {
        const rows = waiting.shift() ?? []
        held -= rows.length
        return rows.filter(({ position }) => isAfter(position, from))
      }
      const stop = (): void => wake()
      // Asked before each wait: whoever stops while it reads wakes nobody.
      const over = (): boolean => signal.aborted || closing.signal.aborted
      followers.add(tell)
      stops.add(stop)
      signal.addEventListener('abort', stop)
      try {
        await begun()
        while (!over()) {
          const rows = behind ? await missed() : heard()
          if (rows.length > 0) {
            from = rows.at(-1)!.position
            yield rows
          } else if (!behind && waiting.length === 0 && !over()) {
            await new Promise<void>((resolve) => { wake = resolve })
          }
        }
      } finally {
        followers.delete(tell)
        stops.delete(stop)
        signal.removeEventListener('abort', stop)
      }
    },

    watchAccess (access) {
      watcher = access
    },

    close () {
      clearInterval(timer)
      closing.abort()
      for (const stop of stops) stop()
    }
  }
}

const isAfter = (one: string, other: string): boolean => {
  const [xact, id] = parts(one)
  const [otherXact, otherId] = parts(other)
  return xact === otherXact ? id > otherId : xact > otherXact
}

const parts = (position: string): [bigint, bigint] => {
  const [xact = '0', id = '0'] = position.split('.')
  return [BigInt(xact), BigInt(id)]
}
