/**
 * Reports that something in a set of folders may have changed; reading finds out what. Each folder is watched by
 * itself, because recursive watching differs between systems and includes ignored folders.
 */
import { watch, type FSWatcher } from 'node:fs'
import { errorCodeOrName } from '../../lib/error-code.js'

export interface FolderWatcherOptions {
  /** Called once after a burst of events, and every `pollMs` when watching is not possible. */
  onChange: () => void
  /** Called once when a folder cannot be watched; all are polled from then on. */
  onFallback: (reason: string) => void
  /** Milliseconds without events before a change is reported. */
  settleMs?: number
  /** The longest delay of a report while events continue, in milliseconds. */
  maxDelayMs?: number
  pollMs?: number
  maxFolders?: number
}

export class FolderWatcher {
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #options: Required<FolderWatcherOptions>
  #settle: NodeJS.Timeout | undefined
  #deadline: NodeJS.Timeout | undefined
  #poll: NodeJS.Timeout | undefined
  #closed = false

  constructor (options: FolderWatcherOptions) {
    this.#options = { settleMs: 60, maxDelayMs: 400, pollMs: 1000, maxFolders: 20_000, ...options }
  }

  /** Sets the absolute paths to watch. Returns true when one is new. */
  set (folders: readonly string[]): boolean {
    const watchList = new Set(folders.slice(0, this.#options.maxFolders))
    if (folders.length > watchList.size) this.#fallBack(`there are more than ${this.#options.maxFolders} folders`)
    for (const [folder, watcher] of this.#watchers) {
      if (watchList.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    let added = false
    for (const folder of watchList) {
      if (this.#watchers.has(folder) || this.#closed) continue
      added = this.#watch(folder) || added
    }
    return added
  }

  /** Reports a change, as if there were an event. */
  poke (): void {
    if (this.#closed) return
    clearTimeout(this.#settle)
    this.#settle = setTimeout(() => {
      this.#tell()
    }, this.#options.settleMs)
    this.#deadline ??= setTimeout(() => {
      this.#tell()
    }, this.#options.maxDelayMs)
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
    this.#options.onChange()
  }

  #watch (folder: string): boolean {
    try {
      const watcher = watch(folder, { persistent: true }, () => {
        this.poke()
      })
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
    this.#options.onFallback(reason)
    this.#poll = setInterval(() => {
      this.#options.onChange()
    }, this.#options.pollMs)
  }
}
