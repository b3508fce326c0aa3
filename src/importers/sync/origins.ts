/** Reads and writes origins of imports, and recognizes by its texts or tasks what was renamed without git. */
import { createHash } from 'node:crypto'
import type { Queryable } from '../../db/sql/database.js'
import { GONE_NOTE } from './changed-records.js'
import type { SentExploration } from './plan-lines.js'

export interface Origin {
  source: string
  kind: 'exploration' | 'recommendation'
  format: string
  path: string
  id: string
  /** The digest of the records as they were last written; null when unknown. */
  digest: string | null
}

export const originKey = ({ kind, format, path }: Pick<Origin, 'kind' | 'format' | 'path'>): string =>
  `${kind}\0${format}\0${path}`

/** The origins from all sources of a workspace: records of another source must not be taken over. */
export const readOrigins = (db: Queryable, workspaceId: string): Promise<Origin[]> =>
  db.query<Origin>(
    'select source, kind, format, path, id::text as id, digest from import_origins where workspace_id = $1::uuid',
    [workspaceId]
  )

const BATCH = 1000

export const writeOrigins = async (db: Queryable, workspaceId: string, origins: readonly Origin[]): Promise<void> => {
  for (let start = 0; start < origins.length; start += BATCH) {
    await db.query(
      `insert into import_origins (workspace_id, source, kind, format, path, id, digest)
       select $1::uuid, source, kind, format, path, id, digest
       from jsonb_to_recordset($2::jsonb) as x (source text, kind text, format text, path text, id uuid, digest text)
       on conflict (workspace_id, source, kind, format, path) do update set id = excluded.id, digest = excluded.digest`,
      [workspaceId, JSON.stringify(origins.slice(start, start + BATCH))]
    )
  }
}

interface StoredContent {
  id: string
  title: string
  archived: boolean
  /** `type hash` of each package that the source still had. */
  packages: string[]
  items: string[]
  decisions: Array<{ id: string; title: string; hash: string }>
}

const HASH = (column: string): string => `encode(sha256(convert_to(${column}, 'UTF8')), 'hex')`

const CONTENT = `
  select e.id::text as id, e.title, e.status = 'archived' as archived,
    array(select p.artifact_type || ' ' || ${HASH('p.markdown')} from requirement_packages p
      where p.exploration_id = e.id and not starts_with(p.markdown, $2)) as packages,
    array(select i.id from plan_items i where i.exploration_id = e.id) as items,
    (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'title', r.title, 'hash', ${HASH('r.body')})), '[]')
      from recommendations r where r.exploration_id = e.id) as decisions
  from explorations e where e.id = any($1::uuid[])`

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Compares with what is stored, which is read once per exploration. */
export class Renames {
  readonly #stored = new Map<string, StoredContent>()

  constructor (readonly db: Queryable) {}

  /** Which of the vanished origins the exploration had before; undefined when none fits. */
  async explorationBefore (sent: SentExploration, vanished: readonly Origin[]): Promise<Origin | undefined> {
    if (vanished.length === 0) return undefined
    await this.#read(vanished.map(({ id }) => id))
    const fitting = (fits: (stored: StoredContent) => boolean): Origin | undefined =>
      vanished.find(({ id }) => {
        const stored = this.#stored.get(id)
        return stored !== undefined && fits(stored)
      })
    return fitting((stored) => hasSameTexts(sent, stored)) ?? fitting((stored) => hasSameTasks(sent, stored))
  }

  /** The id of the decision with this text or title among those of an exploration whose id is in `free`. */
  async decisionBefore (
    exploration: string, { title, body }: { title: string; body: string }, free: ReadonlySet<string>
  ): Promise<string | undefined> {
    if (free.size === 0) return undefined
    await this.#read([exploration])
    const decisions = (this.#stored.get(exploration)?.decisions ?? []).filter(({ id }) => free.has(id))
    const hash = hashOf(body)
    return (decisions.find((one) => one.hash === hash) ?? decisions.find((one) => one.title === title))?.id
  }

  async #read (ids: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => !this.#stored.has(id))
    if (missing.length === 0) return
    for (const row of await this.db.query<StoredContent>(CONTENT, [missing, GONE_NOTE])) this.#stored.set(row.id, row)
  }
}

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value) => other.includes(value))

const hasSameTexts = ({ packages, decisions }: SentExploration, stored: StoredContent): boolean =>
  packages.length + decisions.length > 0 &&
  isSameSet(packages.map(({ artifact_type: type, markdown }) => `${type} ${hashOf(markdown)}`), stored.packages) &&
  decisions.every(({ record }) => stored.decisions.some(({ hash }) => hash === hashOf(record.body)))

/** Titles and numbers of tasks repeat in time: one that was archived before is another exploration. */
const hasSameTasks = ({ exploration, plan }: SentExploration, stored: StoredContent): boolean =>
  plan !== undefined &&
  !stored.archived &&
  exploration.title === stored.title &&
  isSameSet(plan.items.map(({ id }) => id), stored.items)
