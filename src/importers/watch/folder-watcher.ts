/**
 * Says that something in a set of folders may have changed. An event is only a hint to look again: what changed is found
 * by reading. Each folder is watched by itself: recursive watching differs between systems and follows what is ignored.
 */
import { watch, type FSWatcher } from 'node:fs'
import { errorCodeOrName } from '../../lib/error-code.js'

export interface FolderWatcherOptions {
  /** Called once after a burst of events, and now and then where watching is not possible. */
  onChange: () => void
  /** Told once when not all folders can be watched; they are looked at every `pollMs` from then on. */
  onFallback: (reason: string) => void
  /** How long nothing happens before the change is told. */
  settleMs?: number
  /** How long it is put off at most, while things go on happening. */
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

  /** Absolute paths; those that were watched and are not among them are let go. True when one is new. */
  set (folders: readonly string[]): boolean {
    const wanted = new Set(folders.slice(0, this.#options.maxFolders))
    if (folders.length > wanted.size) this.#fallBack(`there are more than ${this.#options.maxFolders} folders`)
    for (const [folder, watcher] of this.#watchers) {
      if (wanted.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    let added = false
    for (const folder of wanted) {
      if (this.#watchers.has(folder) || this.#closed) continue
      added = this.#watch(folder) || added
    }
    return added
  }

  /** As if something had changed. */
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
      // One that is gone again is found missing by the next look.
      if (!['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(errorCodeOrName(error))) this.#fallBack(errorCodeOrName(error))
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
