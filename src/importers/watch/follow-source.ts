/** Imports the plans of a source, and again its changes, until it is stopped. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Conversion, ConvertedUnit, PlanImport } from '../plan-import.js'
import { distinctTitles } from '../distinct-titles.js'
import { ImportReport } from '../report.js'
import { absolutePath } from '../source/open-source.js'
import { gitHead } from '../source/git.js'
import { folderOf } from '../source/paths.js'
import type { ImportUnit } from '../types.js'
import { stampOf, type FileStamp } from '../source/read-source.js'
import type { TreeWriter } from '../write-back/plan-files.js'
import { FolderWatcher } from './folder-watcher.js'

export interface FollowDeps<Summary> {
  plans: PlanImport
  /** Brings the workspace up to date; `isOwn`: nothing has changed but what the writer wrote. */
  send: (lines: Readable, isOwn: boolean) => Promise<Summary>
  writer?: Pick<TreeWriter, 'exclusively' | 'isOwn'> | undefined
  /** Called after each import. `milliseconds` since the first event of the change. */
  onImported: (summary: Summary, conversion: Conversion, milliseconds: number) => void
  /** Called when an import fails; it is tried again with the next change. */
  onFailed: (error: unknown) => void
  onFallback: (reason: string) => void
}

export type Following = Pick<SourceFollower<never>, 'stop'>

/** Resolves after the first import, and throws its error. Later failures go to `onFailed`. */
export const followSource = async <Summary>(deps: FollowDeps<Summary>): Promise<Following> => {
  const follower = new SourceFollower(deps)
  await follower.start().catch(async (error: unknown) => {
    await follower.stop()
    throw error
  })
  return follower
}

interface KnownUnit {
  stamp: FileStamps
  converted: ConvertedUnit
  /** Much shorter files that are not read yet, and since when they are as they are (`performance.now()`). */
  shrunk?: { stamp: FileStamps; since: number } | undefined
}

/** By path. */
type FileStamps = ReadonlyMap<string, FileStamp>

/** A writer may empty a file before it fills it: one that lost most of its text has to stay as it is for this long. */
const SHRUNK_STILL_MS = 1000

const keyOf = ({ format, path }: ImportUnit): string => `${format}\0${path}`

class SourceFollower<Summary> {
  readonly #watcher: FolderWatcher
  #known = new Map<string, KnownUnit>()
  #head: string | undefined
  #gitTime: number | undefined
  #running: Promise<void> | undefined
  #again = false
  #stopped = false
  #shrunkTimer: NodeJS.Timeout | undefined
  /** Set when the last changes were not sent: the next import sends everything. */
  #resend = false

  constructor (private readonly deps: FollowDeps<Summary>) {
    this.#watcher = new FolderWatcher(() => this.#changed(), deps.onFallback)
  }

  async start (): Promise<void> {
    const first = this.#lookAlone(true)
    // One check at a time: events during the first one start another one afterwards.
    this.#begin(first.catch(() => {}))
    await first
  }

  async stop (): Promise<void> {
    this.#stopped = true
    this.#watcher.close()
    await this.#running
    clearTimeout(this.#shrunkTimer)
  }

  #changed (): void {
    this.#again = true
    if (!this.#running) this.#begin(Promise.resolve())
  }

  #begin (before: Promise<unknown>): void {
    this.#running = before.then(() => this.#run()).finally(() => { this.#running = undefined })
  }

  async #run (): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false
      try {
        await this.#lookAlone(false)
      } catch (error) {
        this.#resend = true
        this.deps.onFailed(error)
      }
    }
  }

  async #lookAlone (first: boolean): Promise<void> {
    const look = () => this.#look(first)
    await (this.deps.writer?.exclusively(look) ?? look())
  }

  async #look (first: boolean): Promise<void> {
    const began = performance.now()
    const { plans, send, onImported, writer } = this.deps
    let isOwn = !first && !this.#resend
    await this.#followHistory()
    const report = new ImportReport()
    const found = await plans.find(report)
    const places = [...found.folders, ...new Set(found.units.flatMap(({ files }) => files.map(folderOf)))]
    const watched = this.#watcher.set(
      [...new Set(places)].map((folder) => absolutePath(plans.source, folder)).concat(gitFolder(plans))
    )
    // Changes between reading and watching are found by another check.
    if (watched) this.#watcher.poke()
    const changed = new Set<ConvertedUnit>()
    const units = new Map<string, KnownUnit>()
    for (const unit of found.units) {
      const stamp = await stampsOf(plans, unit)
      const before = this.#known.get(keyOf(unit))
      const shrunk = before && this.#waitForShrunk(before, stamp)
      if (shrunk) {
        if (this.#resend) changed.add(before.converted)
        units.set(keyOf(unit), { ...before, shrunk })
        continue
      }
      const same = before && isSame(before.stamp, stamp) && before.converted.complete && !this.#resend
      const converted = same ? before.converted : { unit, ...(await plans.converter.convert(unit, report)) }
      if (!same) {
        changed.add(converted)
        isOwn &&= before !== undefined && [...stamp].every(([path, { text }]) =>
          before.stamp.get(path)?.text === text || writer?.isOwn(path, text) === true)
      }
      units.set(keyOf(unit), { stamp, converted })
    }
    for (const unit of distinctTitles([...units.values()].map(({ converted }) => converted), report)) changed.add(unit)
    const vanished = [...this.#known.keys()].some((key) => !units.has(key))
    this.#known = units
    if (!first && changed.size === 0 && !vanished && !this.#resend) return
    const conversion = { found, units: [...units.values()].map(({ converted }) => converted), report }
    const summary = await send(Readable.from(plans.lines(conversion, changed)), isOwn && !vanished)
    this.#resend = false
    onImported(summary, conversion, performance.now() - began)
  }

  /** What to wait for while a file has less than half of its size; undefined when the unit can be read. */
  #waitForShrunk ({ stamp: before, shrunk }: KnownUnit, stamp: FileStamps): KnownUnit['shrunk'] {
    const hasShrunk = [...before].some(([path, { size }]) => (stamp.get(path)?.size ?? 0) < size / 2)
    if (!hasShrunk) return undefined
    const now = performance.now()
    const since = shrunk && isSame(shrunk.stamp, stamp) ? shrunk.since : now
    if (now - since >= SHRUNK_STILL_MS) return undefined
    this.#shrunkTimer ??= setTimeout(() => {
      this.#shrunkTimer = undefined
      this.#changed()
    }, SHRUNK_STILL_MS)
    return { stamp, since }
  }

  /** Another commit means another history of the files, and other URLs. */
  async #followHistory (): Promise<void> {
    const { source: { repository, root }, converter } = this.deps.plans
    if (!repository) return
    const place = await stat(join(root, '.git')).catch(() => undefined)
    // A commit or checkout writes in this folder, so git need not be started for each look. A linked worktree has none.
    if (place?.isDirectory() && place.mtimeMs === this.#gitTime) return
    this.#gitTime = place?.mtimeMs
    const head = await gitHead(root)
    if (head === this.#head) return
    if (this.#head !== undefined) {
      converter.forgetHistory()
      this.#resend = true
    }
    this.#head = head
  }
}

/** The folder in which commits and branch changes show. */
const gitFolder = ({ source }: PlanImport): string[] => (source.repository ? [join(source.root, '.git')] : [])

const stampsOf = async (plans: PlanImport, { files }: ImportUnit): Promise<FileStamps> =>
  new Map(await Promise.all(files.map(async (file) =>
    [file, await stampOf(absolutePath(plans.source, file))] as const)))

const isSame = (one: FileStamps, other: FileStamps): boolean =>
  one.size === other.size && [...one].every(([path, { text }]) => other.get(path)?.text === text)
