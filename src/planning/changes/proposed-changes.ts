/** The kinds of changes that can be proposed: what each needs, what it is made from, and what accepting it does. */
import { randomUUID } from 'node:crypto'
import { Refusal } from '../../lib/errors.js'
import type { Change } from './change.js'
import { completeItem } from './complete-item.js'
import { answerQuestion } from './questions.js'
import type { Author, Evidence, ProposedChange, RecordKind, State } from './records.js'
import { WriteRefusal } from './refusals.js'

interface ChangeKind {
  /** The members that it needs, and those that it may have. */
  needs: readonly string[]
  may?: readonly string[]
  /** What the change is made from: it holds as long as this is the same. @throws {Refusal} when it cannot be made */
  base (change: Change, made: ProposedChange): Promise<unknown>
  /** Makes it and returns the ids that it gave. */
  apply (change: Change, made: ProposedChange, by: Author): Promise<State | undefined>
}

/** As in its record. */
const MAX_RECOMMENDATION_TITLE = 1000

const text = (made: ProposedChange, field: string): string => String(made[field] ?? '')

const requireRecord = async (change: Change, kind: RecordKind, id: string): Promise<State> => {
  const record = await change.store.read(kind, id)
  if (record) return record
  throw new WriteRefusal('unknown_item', `The exploration has no ${kind} ${JSON.stringify(id)}.`)
}

const requireOther = (isSame: boolean): void => {
  if (isSame) throw new Refusal('It is so already: nothing is left to propose.')
}

/** The fields of a change that an item has too. */
const edited = (made: ProposedChange): State => Object.fromEntries(
  Object.entries(made).filter(([field]) => ['title', 'description', 'acceptance', 'status'].includes(field)))

const placeIn = async (change: Change, group: string, after: string, item?: string): Promise<number> => {
  const orders = (await requireGroup(change, group)).filter(({ id }) => id !== item)
  const at = orders.findIndex(({ id }) => id === after)
  const [before, next] = at === -1 ? [orders.at(-1), undefined] : [orders[at], orders[at + 1]]
  return before === undefined ? 1 : next === undefined ? before.order + 1 : (before.order + next.order) / 2
}

const requireGroup = async (change: Change, group: string): Promise<Array<{ id: string, order: number }>> => {
  const orders = await change.store.orders(group)
  if (orders) return orders
  throw new WriteRefusal('unknown_item', `The plan has no group ${JSON.stringify(group)}.`)
}

const dependencyId = (made: ProposedChange, arrow = '→'): string =>
  `${text(made, 'item_id')} ${arrow} ${text(made, 'depends_on')}`

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

const once = (markdown: unknown, find: string): [string, string] => {
  const parts = String(markdown).split(find)
  if (parts.length === 2) return [parts[0] ?? '', parts[1] ?? '']
  throw new WriteRefusal('text_not_unique', `"find" stands ${parts.length - 1} times in the package: give a text ` +
    'that stands there exactly once.')
}

const KINDS: Readonly<Record<string, ChangeKind>> = {
  add_item: {
    needs: ['group_id', 'title'],
    may: ['description', 'acceptance', 'after_item_id'],
    base: async (change, made) => { await requireGroup(change, text(made, 'group_id')) },
    async apply (change, made) {
      const id = `i-${randomUUID().slice(0, 8)}`
      await change.set('item', id, {
        id,
        group_id: made['group_id'],
        title: made['title'],
        description: made['description'] ?? null,
        acceptance: made['acceptance'] ?? null,
        status: 'todo',
        order: await placeIn(change, text(made, 'group_id'), text(made, 'after_item_id')),
        position: await change.store.nextPosition('item')
      })
      return { item_id: id }
    }
  },
  edit_item: {
    needs: ['item_id'],
    may: ['title', 'description', 'acceptance'],
    async base (change, made) {
      const item = await requireRecord(change, 'item', text(made, 'item_id'))
      const fields = edited(made)
      const before = Object.fromEntries(Object.keys(fields).map((field) => [field, item[field] ?? null]))
      requireOther(JSON.stringify(before) === JSON.stringify(fields))
      return before
    },
    async apply (change, made) {
      if (made['status'] !== 'done') await change.set('item', text(made, 'item_id'), edited(made))
      else await completeItem(change, await change.item(text(made, 'item_id')), { evidence: [] })
    }
  },
  move_item: {
    needs: ['item_id', 'group_id'],
    may: ['after_item_id'],
    async base (change, made) {
      await requireGroup(change, text(made, 'group_id'))
      const { group_id: group, order } = await requireRecord(change, 'item', text(made, 'item_id'))
      return { group_id: group, order }
    },
    async apply (change, made) {
      const order = await placeIn(change, text(made, 'group_id'), text(made, 'after_item_id'), text(made, 'item_id'))
      await change.set('item', text(made, 'item_id'), { group_id: made['group_id'], order })
    }
  },
  add_dependency: {
    needs: ['item_id', 'depends_on'],
    async base (change, made) {
      for (const field of ['item_id', 'depends_on']) await requireRecord(change, 'item', text(made, field))
      requireOther(await change.store.read('dependency', dependencyId(made)) !== undefined)
      await requireNoCycle(change, text(made, 'item_id'), text(made, 'depends_on'))
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
    base: async (change, made) => { await dependencyOf(change, made) },
    apply: async (change, made) => { await change.set('dependency', await dependencyOf(change, made), undefined) }
  },
  resolve_conflict: {
    needs: ['conflict_id', 'resolution'],
    async base (change, made) {
      const { status } = await requireRecord(change, 'conflict', text(made, 'conflict_id'))
      requireOther(status === 'resolved')
    },
    async apply (change, made) {
      await change.set('conflict', text(made, 'conflict_id'), { status: 'resolved', resolution: made['resolution'] })
    }
  },
  set_gate: {
    needs: ['gate_id', 'status'],
    async base (change, made) {
      const { status } = await requireRecord(change, 'gate', text(made, 'gate_id'))
      requireOther(status === made['status'])
      return { status }
    },
    apply: async (change, made) => { await change.set('gate', text(made, 'gate_id'), { status: made['status'] }) }
  },
  edit_package: {
    needs: ['artifact_type', 'find', 'replace'],
    async base (change, made) {
      const { markdown, version } = await requireRecord(change, 'package', text(made, 'artifact_type'))
      // An import proposes the whole text.
      if (typeof made['markdown'] === 'string') return { version }
      once(markdown, text(made, 'find'))
    },
    async apply (change, made) {
      const type = text(made, 'artifact_type')
      const { markdown } = await requireRecord(change, 'package', type)
      await writePackage(change, type, typeof made['markdown'] === 'string'
        ? made['markdown']
        : once(markdown, text(made, 'find')).join(text(made, 'replace')))
    }
  },
  add_recommendation: {
    needs: ['title', 'body'],
    may: ['recommendation_kind'],
    async base (_change, made) {
      if (text(made, 'title').length > MAX_RECOMMENDATION_TITLE) {
        throw new Refusal(`The title of a recommendation has at most ${MAX_RECOMMENDATION_TITLE} characters.`)
      }
    },
    async apply (change, made) {
      const id = randomUUID()
      await change.set('recommendation', id, {
        id,
        kind: made['recommendation_kind'] ?? 'recommendation',
        title: made['title'],
        body: made['body'],
        status: 'approved',
        approved_by: change.actor?.user.id ?? null,
        approved_at: new Date().toISOString()
      })
      return { recommendation_id: id }
    }
  },
  answer_question: {
    needs: ['question_id', 'answer'],
    async base (change, made) {
      const { answer } = await requireRecord(change, 'question', text(made, 'question_id'))
      requireOther(answer === made['answer'])
      return { answer }
    },
    apply: async (change, made) => { await answerQuestion(change, text(made, 'question_id'), text(made, 'answer')) }
  },
  complete_item: {
    needs: ['item_id', 'evidence'],
    may: ['note'],
    async base (change, made) {
      const { finished, status } = await change.item(text(made, 'item_id'))
      requireOther(status === 'done')
      return { proposal_id: finished?.proposal_id ?? null }
    },
    async apply (change, made, by) {
      // It was checked against the schema of a report.
      const evidence = made['evidence'] as Evidence[]
      const note = typeof made['note'] === 'string' ? made['note'] : undefined
      await completeItem(change, await change.item(text(made, 'item_id')), { evidence, note, by })
    }
  }
}

const dependencyOf = async (change: Change, made: ProposedChange): Promise<string> => {
  for (const arrow of ['→', '↔']) {
    const id = dependencyId(made, arrow)
    if (await change.store.read('dependency', id)) return id
  }
  throw new WriteRefusal('unknown_item', `The plan has no dependency ${dependencyId(made)}.`)
}

/** Writes the next version of a package. */
export const writePackage = async (change: Change, type: string, markdown: string, undoes?: string): Promise<void> => {
  const { version } = await requireRecord(change, 'package', type)
  const next = Number(version) + 1
  await change.set('package', type, { markdown, version: next, updated_at: new Date().toISOString() }, {
    undoes, events: [{ kind: 'package_version', text: `${type}, version ${next}` }]
  })
}

const kindOf = ({ kind }: ProposedChange): ChangeKind => {
  const found = KINDS[kind]
  if (found) return found
  throw new Refusal(`There is no change of the kind ${JSON.stringify(kind)}.`)
}

/** Returns the change with the members of its kind alone. @throws {Refusal} when one is missing */
export const requireMembers = (made: ProposedChange): ProposedChange => {
  const { needs, may = [] } = kindOf(made)
  const missing = needs.filter((field) => made[field] === undefined || (made[field] === '' && field !== 'replace'))
  if (missing.length > 0) throw new Refusal(`A change of the kind ${made.kind} needs ${missing.join(', ')}.`)
  if (made.kind === 'edit_item' && may.every((field) => made[field] === undefined)) {
    throw new Refusal(`A change of the kind edit_item needs one of ${may.join(', ')}.`)
  }
  const fields = [...needs, ...may].filter((field) => made[field] !== undefined)
  return { kind: made.kind, ...Object.fromEntries(fields.map((field) => [field, made[field]])) }
}

/** What a change is made from. @throws {Refusal} when it cannot be made */
export const baseOf = async (change: Change, made: ProposedChange): Promise<unknown> =>
  await kindOf(made).base(change, made) ?? null

/** Makes a change, and returns it with the ids that it gave. @throws {Refusal} */
export const applyChange = async (change: Change, made: ProposedChange, by: Author): Promise<ProposedChange> =>
  ({ ...made, ...await kindOf(made).apply(change, made, by) })
