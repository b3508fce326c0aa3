/** Checks the references between records, against the file and the database, once all lines are read. */
import type { Queryable } from '../../db/sql/database.js'
import type { Line } from '../../planning/records.js'

export interface LineFault { line: number, reason: string }

type ReferencedTable = 'workspaces' | 'users' | 'explorations'

const DEFINES: Partial<Record<Line['type'], ReferencedTable>> = {
  workspace: 'workspaces', user: 'users', exploration: 'explorations'
}

export class References {
  readonly #defined: Record<ReferencedTable, Set<string>> =
    { workspaces: new Set(), users: new Set(), explorations: new Set() }

  readonly #used: Record<ReferencedTable, Map<string, { line: number, field: string }>> =
    { workspaces: new Map(), users: new Map(), explorations: new Map() }

  /** Slugs and e-mail addresses in lower case, with their record. */
  readonly #unique = {
    slug: new Map<string, { id: string, line: number }>(), email: new Map<string, { id: string, line: number }>()
  }

  /** Collects the references of a line; returns a fault that is visible already. */
  add (record: Line, line: number): string | undefined {
    const table = DEFINES[record.type]
    if (table && 'id' in record) this.#defined[table].add(record.id.toLowerCase())
    if ('workspace_id' in record) this.#use('workspaces', record.workspace_id, line, 'workspace_id')
    if ('user_id' in record) this.#use('users', record.user_id, line, 'user_id')
    if ('exploration_id' in record) this.#use('explorations', record.exploration_id, line, 'exploration_id')
    if (record.type === 'workspace') return this.#claim('slug', record.slug, record.id, line)
    if (record.type === 'user') return this.#claim('email', record.email, record.id, line)
    return undefined
  }

  #use (table: ReferencedTable, id: string, line: number, field: string): void {
    const key = id.toLowerCase()
    if (!this.#used[table].has(key)) this.#used[table].set(key, { line, field })
  }

  #claim (field: 'slug' | 'email', value: string, id: string, line: number): string | undefined {
    const key = value.toLowerCase()
    const other = this.#unique[field].get(key)
    if (other && other.id !== id.toLowerCase()) {
      return `${field} ${JSON.stringify(value)} is that of another record, in line ${other.line}`
    }
    this.#unique[field].set(key, { id: id.toLowerCase(), line })
    return undefined
  }

  /** References to unknown records, and values that another record of the database has already. */
  async faults (db: Queryable): Promise<LineFault[]> {
    const faults: LineFault[] = []
    for (const table of ['workspaces', 'users', 'explorations'] as const) {
      const missing = [...this.#used[table]].filter(([id]) => !this.#defined[table].has(id))
      const rows = await db.query<{ id: string }>(
        `select id::text as id from ${table} where id = any($1::uuid[])`, [missing.map(([id]) => id)])
      const stored = new Set(rows.map(({ id }) => id))
      for (const [id, { line, field }] of missing) {
        if (stored.has(id)) continue
        faults.push({ line, reason: `${field} ${id} is neither in the file nor in the database` })
      }
    }
    for (const [field, table] of [['slug', 'workspaces'], ['email', 'users']] as const) {
      const claims = this.#unique[field]
      const existing = await db.query<{ id: string, value: string }>(
        `select id::text as id, lower(${field}) as value from ${table} where lower(${field}) = any($1)`,
        [[...claims.keys()]])
      for (const { id, value } of existing) {
        const claim = claims.get(value)
        if (claim && claim.id !== id) {
          faults.push({
            line: claim.line, reason: `${field} ${JSON.stringify(value)} is that of another record, ${id}`
          })
        }
      }
    }
    return faults.sort((a, b) => a.line - b.line)
  }
}
