/** Reports changes in folders, each watched by itself: recursive watching also watches ignored folders. */
import { watch, type FSWatcher } from 'node:fs'
import { errorCodeOrName } from '../../lib/error-code.js'

/** A change is reported so long after the last event, and not later after the first one than the maximum. */
const SETTLE_MS = 60
const MAX_DELAY_MS = 400
const POLL_MS = 1000
const MAX_FOLDERS = 20_000

export class FolderWatcher {
  readonly #watchers = new Map<string, FSWatcher>()
  #settle: NodeJS.Timeout | undefined
  #deadline: NodeJS.Timeout | undefined
  #poll: NodeJS.Timeout | undefined
  #closed = false

  /**
   * `onChange` is called once after a burst of events, and every second when watching is not possible. `onFallback` is
   * called once when a folder cannot be watched; all are polled from then on.
   */
  constructor (private readonly onChange: () => void, private readonly onFallback: (reason: string) => void) {}

  /** Sets the absolute paths to watch. Returns true when one is new. */
  set (folders: readonly string[]): boolean {
    const watchList = new Set(folders.slice(0, MAX_FOLDERS))
    if (folders.length > watchList.size) this.#fallBack(`there are more than ${MAX_FOLDERS} folders`)
    for (const [folder, watcher] of this.#watchers) {
      if (watchList.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    const added = [...watchList].filter((folder) => !this.#watchers.has(folder) && !this.#closed)
    return added.map((folder) => this.#watch(folder)).includes(true)
  }

  /** Reports a change, as if there were an event. */
  poke (): void {
    if (this.#closed) return
    clearTimeout(this.#settle)
    this.#settle = setTimeout(() => this.#tell(), SETTLE_MS)
    this.#deadline ??= setTimeout(() => this.#tell(), MAX_DELAY_MS)
  }

  close (): void {
    this.#closed = true
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
    for (const timer of [this.#settle, this.#deadline, this.#poll]) clearTimeout(timer)
  }

  #tell (): void {
    clearTimeout(this.#settle)
    clearTimeout(this.#deadline)
    this.#deadline = undefined
    this.onChange()
  }

  #watch (folder: string): boolean {
    try {
      const watcher = watch(folder, () => this.poke())
      watcher.on('error', (error) => {
        watcher.close()
        this.#watchers.delete(folder)
        this.poke()
        if (['ENOSPC', 'EMFILE'].includes(errorCodeOrName(error))) this.#fallBack(errorCodeOrName(error))
      })
      this.#watchers.set(folder, watcher)
      return true
    } catch (error) {
      // A folder that is gone again is noticed by the next report.
      if (!['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(errorCodeOrName(error))) {
        this.#fallBack(errorCodeOrName(error))
      }
      return false
    }
  }

  #fallBack (reason: string): void {
    if (this.#poll || this.#closed) return
    this.onFallback(reason)
    this.#poll = setInterval(() => this.onChange(), POLL_MS)
  }
}
