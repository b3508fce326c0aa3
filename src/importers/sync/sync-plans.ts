/**
 * Brings the explorations of one source up to date. Unchanged ones are not written, changed ones get their next
 * version, renamed ones keep their id, vanished ones are archived.
 */
import { Refusal } from '../../lib/errors.js'
import type { Database } from '../../db/sql/database.js'
import type { Line, MembershipLine, WorkspaceLine } from '../../planning/records.js'
import { workspaceRecord } from '../records/to-records.js'
import { archivedRecords, changedRecords, digestOf } from './changed-records.js'
import { originKey, readOrigins, Renames, writeOrigins, type Origin } from './origins.js'
import { readPlanLines, type PlanManifest, type SentExploration } from './plan-lines.js'
import { isUuid } from '../../lib/uuid.js'

/** Of `explorations` in the source, `written` are new or changed. */
const NOTHING = { explorations: 0, unchanged: 0, written: 0, archived: 0, renamed: 0, workspace_created: false }
export type SyncCounts = typeof NOTHING

export interface SyncPlansDeps<Summary> {
  db: Database
  /** The validated import. It is called once, and only when there is something to write. */
  importRecords: (records: AsyncIterable<Uint8Array>) => Promise<Summary>
  /** Whether what was changed here since is overwritten, also where the source is as it was. */
  replace?: boolean
}

/** `imported`: undefined for none. @throws {Refusal} for an unknown workspace, and for records of another source */
export const syncPlans = async <Summary>(
  source: AsyncIterable<Uint8Array>,
  { db, importRecords, replace = false }: SyncPlansDeps<Summary>,
  signal?: AbortSignal
): Promise<{ sync: SyncCounts, imported: Summary | undefined }> => {
  const now = (): string => new Date().toISOString()
  const { manifest, explorations } = await readPlanLines(source, signal)
  const { record: workspace, first } = await workspaceOf(db, manifest, now())
  const { length } = manifest.present
  if (first && length === 0) return { sync: NOTHING, imported: undefined }
  const origins = await readOrigins(db, workspace.id)
  const stored = new Set((await db.query<{ id: string }>(
    'select id::text as id from explorations where id = any($1::uuid[])',
    [origins.flatMap(({ kind, id }) => kind === 'exploration' ? id : [])]
  )).map(({ id }) => id))
  const identities = new Identities(manifest, origins, new Renames(db))
  const counts = { ...NOTHING, explorations: length, workspace_created: first !== undefined }
  const written: Origin[] = []

  async function * records (): AsyncGenerator<Line> {
    if (first) yield * first
    for await (const sent of explorations) {
      const { found, renamed } = await identities.resolve(sent)
      const moved = { ...found, exploration: { ...found.exploration, workspace_id: workspace.id } }
      const digest = digestOf(moved)
      const origin = identities.originOf(sent)
      if (renamed) counts.renamed++
      if (!replace && origin?.digest === digest && origin.id === moved.exploration.id && stored.has(origin.id)) {
        counts.unchanged++
        continue
      }
      const changed = await changedRecords(db, moved, now())
      if (changed.length > 0) counts.written++
      else counts.unchanged++
      written.push(...identities.originsOf(moved, digest))
      yield * changed
    }
    const vanished = identities.vanished()
    const archived = await archivedRecords(db, vanished.map(({ id }) => id), now())
    // Without the digest it is written again when it comes back.
    if (archived.length > 0) written.push(...vanished.map((origin) => ({ ...origin, digest: null })))
    counts.archived = archived.length
    yield * archived
  }

  // Look at the first record: an import without records would still rebuild indexes.
  const lines = records()
  const begin = await lines.next()
  const imported = begin.done ? undefined : await importRecords(asBytes(begin.value, lines))
  if (first === undefined || imported !== undefined) await writeOrigins(db, workspace.id, written)
  return { sync: counts, imported }
}

async function * asBytes (first: Line, rest: AsyncGenerator<Line>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(first)}\n`)
  for await (const line of rest) yield Buffer.from(`${JSON.stringify(line)}\n`)
}

/** The workspace of the manifest. A missing one comes with records that create it, with its only person as member. */
const workspaceOf = async (
  db: Database, { workspace: named }: PlanManifest, now: string
): Promise<{ record: { id: string }; first: Array<WorkspaceLine | MembershipLine> | undefined }> => {
  const condition = isUuid(named) ? 'id = $1::uuid' : 'slug = $1'
  const [found] = await db.query<{ id: string }>(`select id::text as id from workspaces where ${condition}`, [named])
  if (found) return { record: found, first: undefined }
  if (isUuid(named)) {
    throw new Refusal(`There is no workspace ${named}: name it by a slug to make it.`, 'not_found')
  }
  const record = workspaceRecord(named, now)
  const people = await db.query<{ id: string }>("select id::text as id from users where kind = 'person' limit 2")
  const members = people.map(({ id }): MembershipLine =>
    ({ type: 'membership', user_id: id, workspace_id: record.id, role: 'admin' }))
  return { record, first: [record, ...members.length === 1 ? members : []] }
}

/** The id of its path, else of a former path in git, else of one of the same content that vanished, else a new one. */
class Identities {
  readonly #origins = new Map<string, Origin>()
  /** Ids from another source of the workspace, with that source. */
  readonly #foreign = new Map<string, string>()
  readonly #present: ReadonlySet<string>
  /** How many of the present paths share a former id. */
  readonly #users = new Map<string, number>()
  readonly #used = new Set<string>()

  constructor (
    readonly manifest: PlanManifest,
    origins: readonly Origin[],
    readonly renames: Renames
  ) {
    for (const origin of origins) {
      if (origin.source === manifest.source) this.#origins.set(originKey(origin), origin)
      else this.#foreign.set(origin.id, origin.source)
    }
    const keys = manifest.present.map(([format = '', path = '']) => originKey({ kind: 'exploration', format, path }))
    this.#present = new Set(keys)
    for (const key of keys) {
      const id = this.#origins.get(key)?.id
      if (id === undefined) continue
      this.#users.set(id, (this.#users.get(id) ?? 0) + 1)
      this.#used.add(id)
    }
  }

  originOf ({ format, path }: Pick<SentExploration, 'format' | 'path'>): Origin | undefined {
    return this.#origins.get(originKey({ kind: 'exploration', format, path }))
  }

  /** @throws {Refusal} when another source of the workspace has the exploration */
  async resolve (sent: SentExploration): Promise<{ found: SentExploration; renamed: boolean }> {
    const { format, path, former } = sent
    const id = this.#knownId('exploration', format, path, former, sent.exploration.id) ??
      (await this.renames.explorationBefore(sent, this.vanished().filter((one) => one.format === format)))?.id ??
      this.#newId(path, sent.exploration.id)
    this.#used.add(id)
    const decisions = await this.#decisionsOf(sent, id)
    const found = {
      ...sent,
      exploration: { ...sent.exploration, id },
      packages: sent.packages.map((part) => ({ ...part, exploration_id: id })),
      plan: sent.plan && { ...sent.plan, exploration_id: id },
      decisions
    }
    return { found, renamed: this.originOf(sent) === undefined && id !== sent.exploration.id }
  }

  async #decisionsOf (
    { format, decisions }: SentExploration, exploration: string
  ): Promise<SentExploration['decisions']> {
    const paths = new Set(decisions.map(({ path }) => path))
    const known = [...this.#origins.values()].filter((one) => one.kind === 'recommendation' && one.format === format)
    const free = new Set(known.map(({ id }) => id))
    for (const { path, id } of known) if (paths.has(path)) free.delete(id)
    const resolved: SentExploration['decisions'] = []
    for (const { path, former, record } of decisions) {
      const id = this.#knownId('recommendation', format, path, former, record.id) ??
        await this.renames.decisionBefore(exploration, record, free) ??
        this.#newId(path, record.id)
      free.delete(id)
      resolved.push({ path, former, record: { ...record, id, exploration_id: exploration } })
    }
    return resolved
  }

  /** The id of the path, or of a former one in git. */
  #knownId (
    kind: Origin['kind'], format: string, path: string, former: readonly string[], own: string
  ): string | undefined {
    const origin = this.#origins.get(originKey({ kind, format, path }))
    // Two present paths cannot share an id: it stays with the path that it was derived from.
    if (origin) return origin.id !== own && (this.#users.get(origin.id) ?? 0) > 1 ? own : origin.id
    for (const name of former) {
      const key = originKey({ kind, format, path: name })
      const origin = this.#origins.get(key)
      if (origin && !this.#present.has(key) && !this.#used.has(origin.id)) return origin.id
    }
    return undefined
  }

  #newId (path: string, own: string): string {
    const foreign = this.#foreign.get(own)
    if (foreign !== undefined) {
      throw new Refusal(
        `${path} is in ${foreign} too, whose plans are in this workspace already: import it into another one with ` +
          '--workspace NAME; two different repositories can share one when one of them has a name, "source" in its ' +
          '.exploration-mcp.json. Nothing was imported.'
      )
    }
    return own
  }

  originsOf ({ format, path, exploration, decisions }: SentExploration, digest: string): Origin[] {
    const { source } = this.manifest
    return [
      { source, kind: 'exploration', format, path, id: exploration.id, digest },
      ...decisions.map(({ path: place, record: { id } }): Origin =>
        ({ source, kind: 'recommendation', format, path: place, id, digest: null }))
    ]
  }

  vanished (): Origin[] {
    const { formats, folders, unread } = this.manifest
    return [...this.#origins.values()].filter(
      ({ kind, format, path, id }) =>
        kind === 'exploration' &&
        formats.includes(format) &&
        !this.#used.has(id) &&
        folders.some((folder) => folder === '' || path === folder || path.startsWith(`${folder}/`)) &&
        !unread.some((place) => path === place || path.startsWith(`${place}#`))
    )
  }
}
