/** Writes what is changed here into the working trees that are followed, before the change is answered. */
import type { FoundUnits } from '../find-units.js'
import type { PlanImport } from '../plan-import.js'
import { ImportReport } from '../report.js'
import { errorCodeOrName } from '../../lib/error-code.js'
import { Refusal } from '../../lib/errors.js'
import { commandLine } from '../../lib/text/command-line.js'
import { lruSet } from '../../lib/lru.js'
import { absolutePath } from '../source/open-source.js'
import { stampOf } from '../source/read-source.js'
import type { ChangedExploration } from '../sync/changed-here.js'
import type { PatchJson } from './patch.js'
import { replaceFile, UNFINISHED } from './replace-file.js'
import type { FileChange, Rewritten } from './rewrite.js'

export interface FollowedTree {
  plans: PlanImport
  writes: boolean
  /** Told once what stays here, and why a file was not written. */
  onLeft (reason: string): void
}

/** The port to what was changed here. */
export interface TreeChanges {
  /** Of explorations from the tree, or of one. */
  of (plans: PlanImport, exploration?: string): Promise<ChangedExploration[]>
  /** Takes what the files say now. */
  written (made: Rewritten['made']): Promise<void>
}

/** Its parsers are loaded where a tree is followed. */
const rewriting = () => import('./rewrite.js')

/** How often a file is read again that others write at the same time. */
const ATTEMPTS = 5
const MAX_REMEMBERED = 10_000

export class TreeWriter {
  #units: Pick<FoundUnits, 'units'> | undefined
  #last: Promise<unknown> = Promise.resolve()
  readonly #stamps = new Map<string, string>()
  readonly #told = new Map<string, true>()

  constructor (
    readonly tree: FollowedTree, private readonly changes: TreeChanges,
    private readonly said: Map<string, string>
  ) {}

  /** Runs work while nothing is written: a file that is read is as it was when its import has ended. */
  exclusively<T> (work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work)
    this.#last = run.catch(() => {})
    return run
  }

  /** Takes the units of the last import, which has read the tree. */
  know (units: Pick<FoundUnits, 'units'>): void {
    this.#units = units
  }

  isOwn (path: string, stamp: string): boolean {
    return this.#stamps.get(path) === stamp || UNFINISHED.test(path)
  }

  /** Writes what the files do not say yet, of one exploration or of all. Never rejects. */
  async write (exploration?: string): Promise<void> {
    await this.exclusively(() => this.#write(exploration)).catch((error: unknown) => {
      this.#tell(error instanceof Error ? error.message : 'unknown error')
    })
  }

  async #write (exploration: string | undefined): Promise<void> {
    const { plans } = this.tree
    const changed = await this.changes.of(plans, exploration)
    if (changed.length === 0) return
    const { rewriteSource } = await rewriting()
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      this.#units ??= await plans.find(new ImportReport())
      const { files, left, made } = await rewriteSource(plans, this.#units, changed, { disputed: false })
      // A new file belongs to its unit from now on.
      if (files.some(({ before }) => before === undefined)) this.#units = undefined
      const done = new Set<string>()
      let isChanged = false
      for (const file of files) {
        const outcome = await this.#replace(file)
        if (outcome) done.add(file.path)
        isChanged ||= outcome === false
      }
      const written = made.filter(({ path }) => done.has(path))
      await this.changes.written(written)
      for (const { exploration: id, item, status, path, line } of written) {
        lruSet(this.said, keyOf(id, item, status), `${absolutePath(plans.source, path)}:${line}`, MAX_REMEMBERED)
      }
      if (isChanged) continue
      for (const reason of left) this.#tell(reason)
      return
    }
    this.#tell('its files change all the time; the next change is tried again')
  }

  /** False where the file has changed meanwhile; undefined, and told, where it cannot be written. */
  async #replace (file: FileChange): Promise<boolean | undefined> {
    const { plans: { source } } = this.tree
    try {
      const isReplaced = await replaceFile(source, file)
      if (isReplaced) {
        lruSet(this.#stamps, file.path, (await stampOf(absolutePath(source, file.path))).text, MAX_REMEMBERED)
      }
      return isReplaced
    } catch (error) {
      this.#tell(`${file.path} is not written: ${error instanceof Refusal ? error.message : errorCodeOrName(error)}`)
      return undefined
    }
  }

  #tell (reason: string): void {
    if (!this.#told.has(reason)) this.tree.onLeft(reason)
    lruSet(this.#told, reason, true, MAX_REMEMBERED)
  }
}

export type PlanFiles = ReturnType<typeof createPlanFiles>

const keyOf = (exploration: string, item: string, status: string): string => `${exploration} ${status} ${item}`

export const createPlanFiles = (changes: TreeChanges) => {
  const writers: TreeWriter[] = []
  const said = new Map<string, string>()
  return {
    follow (tree: FollowedTree): TreeWriter {
      const writer = new TreeWriter(tree, changes, said)
      writers.push(writer)
      return writer
    },
    /** Resolves when the files say what was changed of an exploration, or cannot. */
    async write (exploration: string): Promise<void> {
      await Promise.all(writers.filter(({ tree }) => tree.writes).map((writer) => writer.write(exploration)))
    },
    /** What the files do not say yet. @throws {Refusal} where no tree is followed */
    async patch (exploration: string): Promise<PatchJson> {
      if (writers.length === 0) {
        throw new Refusal(`This server does not follow the files. Run ${commandLine('patch')} in their repository.`)
      }
      const [{ rewriteSource }, { patchJson }] = await Promise.all([rewriting(), import('./patch.js')])
      const all = await Promise.all(writers.map(async ({ tree: { plans } }) => await rewriteSource(
        plans, await plans.find(new ImportReport()), await changes.of(plans, exploration), { disputed: true })))
      return patchJson({ files: all.flatMap(({ files }) => files), left: all.flatMap(({ left }) => left) })
    },
    /** Where the status of an item was written: the path of its file and the line. */
    placeOf: (exploration: string, item: string, status: string) => said.get(keyOf(exploration, item, status))
  }
}
