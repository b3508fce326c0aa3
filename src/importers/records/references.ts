/** Checks references of a plan to its own parts, and between records of the file and the database. */
import type { Queryable } from '../../db/sql/database.js'
import { keysOf } from '../../lib/json/json-object.js'
import type { ExecutionPlanLine, Line } from '../../planning/records.js'

/** One sentence part per fault, such as `gates[0].id repeats "g1"`. */
export const planFaults = ({ groups, items, dependencies, gates, conflicts }: ExecutionPlanLine): string[] => {
  const groupIds = new Set(groups.map(({ id }) => id))
  const itemIds = new Set(items.map(({ id }) => id))
  const faults: string[] = []
  const expect = (ids: Set<string>, id: string, field: string, what: string): void => {
    if (!ids.has(id)) faults.push(`${field} refers to the ${what} ${JSON.stringify(id)}, which this plan does not have`)
  }
  for (const [name, list] of Object.entries({ groups, items, gates, conflicts })) {
    const visited = new Set<string>()
    for (const [index, { id }] of list.entries()) {
      if (visited.has(id)) faults.push(`${name}[${index}].id repeats ${JSON.stringify(id)}`)
      visited.add(id)
    }
  }
  for (const [index, item] of items.entries()) expect(groupIds, item.group_id, `items[${index}].group_id`, 'group')
  for (const [index, gate] of gates.entries()) {
    expect(groupIds, gate.after_group_id, `gates[${index}].after_group_id`, 'group')
  }
  for (const [index, { item_id: item, depends_on: other }] of dependencies.entries()) {
    expect(itemIds, item, `dependencies[${index}].item_id`, 'item')
    expect(itemIds, other, `dependencies[${index}].depends_on`, 'item')
  }
  for (const [index, { item_ids: ids }] of conflicts.entries()) {
    for (const [at, id] of ids.entries()) expect(itemIds, id, `conflicts[${index}].item_ids[${at}]`, 'item')
  }
  return faults
}

export interface LineFault { line: number, reason: string }

type ReferencedTable = 'workspaces' | 'users' | 'explorations'

const DEFINES: Partial<Record<Line['type'], ReferencedTable>> = {
  workspace: 'workspaces', user: 'users', exploration: 'explorations'
}
const USES = { workspace_id: 'workspaces', user_id: 'users', exploration_id: 'explorations' } as const

export class References {
  /** `table id` of each record. */
  readonly #defined = new Set<string>()
  readonly #used: Record<ReferencedTable, Map<string, { line: number, field: string }>> =
    { workspaces: new Map(), users: new Map(), explorations: new Map() }

  readonly #unique = {
    slug: new Map<string, { id: string, line: number }>(), email: new Map<string, { id: string, line: number }>()
  }

  /** Collects the references of a line; returns a fault that is visible already. */
  add (record: Line, line: number): string | undefined {
    const table = DEFINES[record.type]
    if (table && 'id' in record) this.#defined.add(`${table} ${record.id.toLowerCase()}`)
    const fields: Partial<Record<string, unknown>> = record
    for (const field of keysOf(USES)) {
      const id = String(fields[field] ?? '').toLowerCase()
      const used = this.#used[USES[field]]
      if (id !== '' && !used.has(id)) used.set(id, { line, field })
    }
    if (record.type === 'workspace') return this.#claim('slug', record.slug, record.id, line)
    if (record.type === 'user') return this.#claim('email', record.email, record.id, line)
    return undefined
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
    for (const table of keysOf(this.#used)) {
      const missing = [...this.#used[table]].filter(([id]) => !this.#defined.has(`${table} ${id}`))
      const rows = await db.query<{ id: string }>(
        `select id::text as id from ${table} where id = any($1::uuid[])`, [missing.map(([id]) => id)])
      const stored = new Set(rows.map(({ id }) => id))
      for (const [id, { line, field }] of missing) {
        if (!stored.has(id)) faults.push({ line, reason: `${field} ${id} is neither in the file nor in the database` })
      }
    }
    for (const [field, table] of [['slug', 'workspaces'], ['email', 'users']] as const) {
      const claims = this.#unique[field]
      const existing = await db.query<{ id: string, value: string }>(
        `select id::text as id, lower(${field}) as value from ${table} where lower(${field}) = any($1)`,
        [[...claims.keys()]])
      for (const { id, value } of existing) {
        const claim = claims.get(value)
        if (!claim || claim.id === id) continue
        faults.push({ line: claim.line, reason: `${field} ${JSON.stringify(value)} is that of another record, ${id}` })
      }
    }
    return faults.sort((a, b) => a.line - b.line)
  }
}
