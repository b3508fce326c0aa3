/** Reports changes of planning data, written by any process. Polls the source every 250 ms while anybody listens. */

export interface ChangedRow {
  /**
   * The transaction and the number in it, such as `771.42`. Rows are ordered by it, and a reader continues after the
   * last one.
   */
  position: string
  workspace_id: string | null
  exploration_id: string | null
  artifact_type: string | null
  /** The user whose memberships changed. */
  user_id: string | null
  /** The credential that no longer works. */
  credential_id: string | null
  /** Whether it is the user's list of tools that may have changed, and nothing else. Absent at a gateway. */
  tools?: boolean
}

/** The port to the recorded changes. */
export interface ChangeSource {
  /** The current position: later changes come after it. */
  position (): Promise<string>
  /** The rows after a position, in order, at most `MAX_ROWS`. */
  after (position: string): Promise<ChangedRow[]>
  /** Ids of the credentials that were revoked or expired in the last minute. */
  recentlyRevoked (): Promise<string[]>
  /** Deletes rows that are too old for any reader. */
  purge (): Promise<void>
}

export interface AccessWatcher {
  /** Whether anybody needs these calls now; otherwise the feed does not poll for them. */
  isNeeded: () => boolean
  /** A credential no longer works. When polling starts, also called for the credentials of the last minute. */
  onRevoked: (credential: string) => void
  /** A user's memberships changed. */
  onMembershipChanged: (user: string) => void
}

export interface ChangeFeed {
  /** The current position: later changes come after it. */
  position (): Promise<string>
  /**
   * Yields the rows after a position, in batches, until the signal fires or the feed closes. Throws the source's
   * errors.
   */
  follow (after: string, signal: AbortSignal): AsyncGenerator<readonly ChangedRow[], void, unknown>
  /** Sets the one watcher of revoked credentials and changed memberships. */
  watchAccess (watcher: AccessWatcher): void
  /** Stops polling and ends all followers. */
  close (): void
}

/** Rows of one read. */
export const MAX_ROWS = 1000

const EVERY_MS = 250
const PURGE_EVERY_MS = 3_600_000
/**
 * Rows that are queued for a slow follower. Beyond that the queue is dropped and the follower reads from the source.
 */
const MAX_WAITING = 4 * MAX_ROWS

/**
 * Creates the feed. One poll serves all followers.
 * @param onError called once with the reason when reading fails, and once without one when it works again
 */
export const changeFeed = (source: ChangeSource, onError: (error?: unknown) => void): ChangeFeed => {
  const followers = new Set<(rows: readonly ChangedRow[]) => void>()
  // Wake the followers when the feed closes.
  const stops = new Set<() => void>()
  let watcher: AccessWatcher | undefined
  let lastPosition: string | undefined
  let beginning: Promise<void> | undefined
  let reading = false
  const closing = new AbortController()
  let purged = -Infinity
  let broken = false

  /** Starts the shared read at the current position, after a time without listeners. */
  const begin = async (): Promise<void> => {
    lastPosition = await source.position()
    for (const id of await source.recentlyRevoked()) watcher?.onRevoked(id)
  }
  const ready = (): Promise<void> => {
    beginning ??= begin().catch((error: unknown) => {
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
    const rows = await source.after(lastPosition ?? await source.position())
    const last = rows.at(-1)
    if (!last) return
    lastPosition = last.position
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
      // Rows from before the shared read began, and rows that did not fit the queue, come from the source. nextRows()
      // drops duplicates.
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
      // Checked before each wait: a stop during a read wakes no one.
      const over = (): boolean => signal.aborted || closing.signal.aborted
      /**
       * Resolves with undefined as soon as the follower stops: a read that hangs must not keep the server from
       * closing.
       */
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
          const last = rows.at(-1)
          if (last) {
            from = last.position
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
