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
  recentlyRevoked (): Promise<string[]>
  /** Lets go of what nobody goes on after any more. */
  purge (): Promise<void>
}

export interface AccessWatcher {
  isNeeded: () => boolean
  /** A credential no longer works; also told of those of the minute before. */
  onRevoked: (credential: string) => void
  /** A user's memberships changed. */
  onMembershipChanged: (user: string) => void
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
export const MAX_ROWS = 1000

const EVERY_MS = 250
const PURGE_EVERY_MS = 3_600_000
/** What waits at most for a follower who is slower than the changes: who has missed some reads them from the source again. */
const MAX_WAITING = 4 * MAX_ROWS

/** `onError` is told once when it cannot be read, with the reason, and, with nothing, once it can be again. */
export const changeFeed = (source: ChangeSource, onError: (error?: unknown) => void): ChangeFeed => {
  const followers = new Set<(rows: readonly ChangedRow[]) => void>()
  // What wakes the followers when the feed closes.
  const stops = new Set<() => void>()
  let watcher: AccessWatcher | undefined
  let lastPosition: string | undefined
  let beginning: Promise<void> | undefined
  let reading = false
  const closing = new AbortController()
  let purged = -Infinity
  let broken = false

  /** From where the shared reading goes on, after nobody needed it. */
  const begin = async (): Promise<void> => {
    lastPosition = await source.position()
    for (const id of await source.recentlyRevoked()) watcher?.onRevoked(id)
  }
  const ready = (): Promise<void> => {
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
    await ready()
    const rows = await source.after(lastPosition!)
    if (rows.length === 0) return
    lastPosition = rows.at(-1)!.position
    for (const { credential_id: credential, user_id: user } of rows) {
      if (credential !== null) watcher?.onRevoked(credential)
      if (user !== null) watcher?.onMembershipChanged(user)
    }
    for (const deliver of followers) deliver(rows)
    if (rows.length >= MAX_ROWS) await read()
  }

  const reportHealth = (failure?: { error: unknown }): void => {
    if (broken === (failure !== undefined)) return
    broken = failure !== undefined
    onError(failure?.error)
  }

  const timer = setInterval(() => {
    if (reading) return
    if (followers.size === 0 && !watcher?.isNeeded()) {
      beginning = undefined
      return
    }
    reading = true
    read().then(() => reportHealth(), (error: unknown) => reportHealth({ error })).finally(() => { reading = false })
  }, EVERY_MS).unref()

  return {
    position: () => source.position(),

    async * follow (from, signal) {
      let queue: Array<readonly ChangedRow[]> = []
      let queuedRows = 0
      // What came before the shared reading began, and what did not fit, comes from the source; what both bring is told once.
      let behind = true
      let wake = (): void => {}
      const deliver = (rows: readonly ChangedRow[]): void => {
        behind ||= queuedRows + rows.length > MAX_WAITING
        if (behind) {
          queue = []
          queuedRows = 0
        } else {
          queue.push(rows)
          queuedRows += rows.length
        }
        wake()
      }
      const missed = async (): Promise<ChangedRow[]> => {
        behind = false
        const rows = await source.after(from)
        behind ||= rows.length > 0
        return rows
      }
      const nextRows = (): readonly ChangedRow[] => {
        const rows = queue.shift() ?? []
        queuedRows -= rows.length
        return rows.filter(({ position }) => isAfter(position, from))
      }
      const stop = (): void => wake()
      // Asked before each wait: whoever stops while it reads wakes nobody.
      const over = (): boolean => signal.aborted || closing.signal.aborted
      /** What the source gives, or nothing as soon as it is over: a reading that hangs keeps no server from closing. */
      const unlessOver = <T>(reading: Promise<T>): Promise<T | undefined> => new Promise((resolve, reject) => {
        wake = () => { if (over()) resolve(undefined) }
        wake()
        reading.then(resolve, reject)
      })
      followers.add(deliver)
      stops.add(stop)
      signal.addEventListener('abort', stop)
      try {
        await unlessOver(ready())
        while (!over()) {
          const rows = behind ? await unlessOver(missed()) ?? [] : nextRows()
          if (rows.length > 0) {
            from = rows.at(-1)!.position
            yield rows
          } else if (!behind && queue.length === 0 && !over()) {
            await new Promise<void>((resolve) => { wake = resolve })
          }
        }
      } finally {
        followers.delete(deliver)
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
  const [xact, id] = parsePosition(one)
  const [otherXact, otherId] = parsePosition(other)
  return xact === otherXact ? id > otherId : xact > otherXact
}

const parsePosition = (position: string): [bigint, bigint] => {
  const [xact = '0', id = '0'] = position.split('.')
  return [BigInt(xact), BigInt(id)]
}
