/** Reports changes of planning data, written by any process. Polls the source every 250 ms while anybody listens. */
import { EventEmitter, once } from 'node:events'
import { untilAborted } from '../lib/async/deadline.js'

export interface ChangedRow {
  /** The transaction and the number in it, such as `771.42`, by which rows are ordered. */
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
  onMembershipChanged: (user: string) => void
}

export type ChangeFeed = ReturnType<typeof changeFeed>

/** Rows of one read. */
export const MAX_ROWS = 1000

const EVERY_MS = 250
const PURGE_EVERY_MS = 3_600_000
/** Rows that are remembered for followers. One that is further behind reads from the source. */
const MAX_RECENT = 4 * MAX_ROWS

/** `onError` is called once with the reason when reading fails, and once without one when it works again. */
export const changeFeed = (source: ChangeSource, onError: (error?: unknown) => void) => {
  const news = new EventEmitter().setMaxListeners(0)
  const closing = new AbortController()
  let followers = 0
  let watcher: AccessWatcher | undefined
  let recent: ChangedRow[] = []
  /** The positions before the first and of the last of the recent rows. */
  let [since, last] = ['', '']
  let beginning: Promise<void> | undefined
  let reading = false
  let purged = -Infinity
  let broken = false

  /** Starts the shared read at the current position, after a time without listeners. */
  const begin = async (): Promise<void> => {
    since = last = await source.position()
    recent = []
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
    const rows = await source.after(last)
    last = rows.at(-1)?.position ?? last
    for (const { credential_id: credential, user_id: user } of rows) {
      if (credential !== null) watcher?.onRevoked(credential)
      if (user !== null) watcher?.onMembershipChanged(user)
    }
    recent.push(...rows)
    since = recent.splice(0, recent.length - MAX_RECENT).at(-1)?.position ?? since
    if (rows.length > 0) news.emit('rows')
    if (rows.length >= MAX_ROWS) await read()
  }

  const reportHealth = (failure?: { error: unknown }): void => {
    if (broken === (failure !== undefined)) return
    broken = failure !== undefined
    onError(failure?.error)
  }

  const timer = setInterval(() => {
    if (reading) return
    if (followers === 0 && !watcher?.isNeeded()) {
      beginning = undefined
      return
    }
    reading = true
    read().then(() => reportHealth(), (error: unknown) => reportHealth({ error })).finally(() => { reading = false })
  }, EVERY_MS).unref()

  return {
    position: () => source.position(),

    /** Yields the rows after a position, in batches, until the signal fires or the feed closes. */
    async * follow (from: string, signal: AbortSignal): AsyncGenerator<readonly ChangedRow[], void, unknown> {
      // A read that hangs must not keep the server from closing.
      const over = AbortSignal.any([signal, closing.signal])
      followers++
      try {
        await untilAborted(ready(), over)
        while (!over.aborted) {
          const start = since
          const isBehind = isAfter(start, from)
          const rows = isBehind
            ? await untilAborted(source.after(from), over)
            : recent.slice(recent.findLastIndex(({ position }) => !isAfter(position, from)) + 1)
          const next = rows.at(-1)
          if (next) {
            from = next.position
            yield rows
          } else if (isBehind) {
            from = start
          } else {
            await once(news, 'rows', { signal: over })
          }
        }
      } catch (error) {
        if (!over.aborted) throw error
      } finally {
        followers--
      }
    },

    watchAccess (access: AccessWatcher): void {
      watcher = access
    },

    close (): void {
      clearInterval(timer)
      closing.abort()
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
