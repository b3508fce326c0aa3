/** Changes of a plan that agents propose and people make: items and their order, dependencies, gates, conflicts. */
import { randomUUID } from 'node:crypto'
import type { Change } from '../change.js'
import { setStatus } from '../complete-item.js'
import type { Evidence } from '../../records.js'
import type { ItemState, ProposedChange } from '../records.js'
import { WriteRefusal } from '../refusals.js'
import { membersAmong, optionalText, requireOther, requireRecord, text, type ChangeKind } from './kind.js'

const TEXTS = ['title', 'description', 'acceptance']
const ITEM = ['item', 'item_id'] as const

export const PLAN_KINDS = {
  add_item: {
    needs: ['group_id', 'title'],
    may: ['description', 'acceptance', 'after_item_id'],
    base: async (change, made) => { await requireGroup(change, text(made, 'group_id')) },
    async apply (change, made) {
      const group = await requireGroup(change, text(made, 'group_id'))
      const id = nextItemId(group, await change.store.itemIds())
      await change.set('item', id, {
        id,
        group_id: made['group_id'],
        title: made['title'],
        description: made['description'] ?? null,
        acceptance: made['acceptance'] ?? null,
        status: 'todo',
        order: orderAmong(group, optionalText(made, 'after_item_id')),
        position: await change.store.nextPosition('item')
      })
      return { item_id: id }
    }
  },
  edit_item: {
    needs: ['item_id'],
    may: TEXTS,
    some: true,
    of: ITEM,
    replaces: true,
    // An import proposes a status, too.
    sets: [...TEXTS, 'status'],
    async apply (change, made, id) {
      await change.set('item', id, membersAmong(made, TEXTS))
      const status = optionalText(made, 'status')
      // The importer has checked it.
      if (status !== undefined) await setStatus(change, await change.item(id), status as ItemState['status'])
    }
  },
  move_item: {
    needs: ['item_id', 'group_id'],
    may: ['after_item_id'],
    of: ITEM,
    async base (change, made, item) {
      await requireGroup(change, text(made, 'group_id'))
      const { group_id: group, order } = await change.item(item)
      return { group_id: group, order }
    },
    async apply (change, made, item) {
      const others = (await requireGroup(change, text(made, 'group_id'))).filter(({ id }) => id !== item)
      const order = orderAmong(others, optionalText(made, 'after_item_id'))
      await change.set('item', item, { group_id: made['group_id'], order })
    }
  },
  add_dependency: {
    needs: ['item_id', 'depends_on'],
    of: ITEM,
    async base (change, made, item) {
      const on = text(made, 'depends_on')
      for (const id of [item, on]) await change.item(id)
      requireOther(await change.store.read('dependency', dependencyId(made)) !== undefined)
      await requireNoCycle(change, item, on)
    },
    async apply (change, made) {
      await change.set('dependency', dependencyId(made), {
        position: await change.store.nextPosition('dependency'),
        item_id: made['item_id'],
        depends_on: made['depends_on'],
        kind: 'blocks'
      })
    }
  },
  remove_dependency: {
    needs: ['item_id', 'depends_on'],
    of: ITEM,
    base: async (change, made) => { await dependencyOf(change, made) },
    apply: async (change, made) => { await change.set('dependency', await dependencyOf(change, made), undefined) }
  },
  resolve_conflict: {
    needs: ['conflict_id', 'resolution'],
    of: ['conflict', 'conflict_id'],
    base: async (change, _made, id) => {
      requireOther((await requireRecord(change, 'conflict', id))['status'] === 'resolved')
    },
    async apply (change, made, id) {
      await change.set('conflict', id, { status: 'resolved', resolution: made['resolution'] })
    }
  },
  set_gate: {
    needs: ['gate_id', 'status'],
    statuses: ['open', 'passed', 'failed'],
    of: ['gate', 'gate_id'],
    sets: ['status'],
    apply: async (change, made, id) => { await change.set('gate', id, { status: made['status'] }) }
  },
  complete_item: {
    needs: ['item_id', 'evidence'],
    may: ['note'],
    of: ITEM,
    async base (change, _made, id) {
      const { finished, status } = await change.item(id)
      requireOther(status === 'done')
      return { proposal_id: finished?.proposal_id ?? null }
    },
    async apply (change, made, id, by) {
      await setStatus(change, await change.item(id), 'done', {
        // It was checked against the schema of a report.
        evidence: made['evidence'] as Evidence[], note: optionalText(made, 'note'), by
      })
    }
  }
} as const satisfies Record<string, ChangeKind>

interface Ordered { id: string, of: string, order: number }

/** The order of an item after another one of its group, before all of them for '', or at the end. */
const orderAmong = (orders: readonly Ordered[], after: string | undefined): number => {
  if (after === '') return (orders[0]?.order ?? 2) - 1
  const at = orders.findIndex(({ id }) => id === after)
  const [before, next] = at === -1 ? [orders.at(-1), undefined] : [orders[at], orders[at + 1]]
  return before === undefined ? 1 : next === undefined ? before.order + 1 : (before.order + next.order) / 2
}

const requireGroup = async (change: Change, group: string): Promise<Ordered[]> => {
  const orders = await change.store.orders(group)
  if (orders) return orders
  throw new WriteRefusal('unknown_item', `The plan has no group ${JSON.stringify(group)}.`)
}

const dependencyId = (made: ProposedChange, arrow = '→'): string =>
  `${text(made, 'item_id')} ${arrow} ${text(made, 'depends_on')}`

const dependencyOf = async (change: Change, made: ProposedChange): Promise<string> => {
  for (const arrow of ['→', '↔']) {
    const id = dependencyId(made, arrow)
    if (await change.store.read('dependency', id)) return id
  }
  throw new WriteRefusal('unknown_item', `The plan has no dependency ${dependencyId(made)}.`)
}

const requireNoCycle = async (change: Change, item: string, on: string): Promise<void> => {
  const waits = new Map<string, string[]>()
  for (const { item_id: id, depends_on: other, kind } of await change.store.dependencies()) {
    if (kind === 'blocks') waits.set(id, [...waits.get(id) ?? [], other])
  }
  // A set is walked while it grows.
  const reached = new Set([on])
  for (const id of reached) for (const other of waits.get(id) ?? []) reached.add(other)
  if (reached.has(item)) {
    throw new WriteRefusal('cycle', `${JSON.stringify(on)} waits for ${JSON.stringify(item)}: neither could start.`)
  }
}

const NUMBERED = /^(?!i-[0-9a-f]{8}$)([^~]*?)(\d+)$/

/** The next number where the items of `group` have numbers; `all`: the ids of the plan, which its file has, too. */
const nextItemId = (group: ReadonlyArray<{ id: string, of: string }>, all: readonly string[]): string => {
  const [, before, last] = group.map(({ id }) => NUMBERED.exec(id)).findLast((found) => found !== null) ?? []
  const random = `i-${randomUUID().slice(0, 8)}`
  if (before === undefined || last === undefined) return random
  // Where a task makes a group, what is added to one without subtasks is its first.
  const isParent = before === '' && group.length === 1 &&
    (group[0]?.of.startsWith(`${last}. `) || all.some((id) => /^\d+\.\d+$/.test(id)))
  const [prefix, number] = isParent ? [`${last}.`, '0'] : [before, last]
  const numbers = all.flatMap((id) => {
    const [, other, digits] = NUMBERED.exec(id) ?? []
    return other === prefix ? Number(digits) : []
  })
  const next = prefix + String(Math.max(0, ...numbers) + 1).padStart(number.length, '0')
  // More digits than a number has count no further.
  return all.includes(next) ? random : next
}
