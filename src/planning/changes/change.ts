/** The changes of one transaction on one exploration, each written together with its row of the history. */
import { isDeepStrictEqual } from 'node:util'
import { codePointBoundary } from '../tools/truncate.js'
import type { Actor, ChangeStore, NewHistory, WriteAccess } from './change-store.js'
import type { Author, ChangeEvent, HistoryKind, ItemState, RecordKind, State, WrittenKind } from './records.js'
import { WriteRefusal } from './refusals.js'

export interface Place {
  exploration: string
  workspace: string
  policy: WriteAccess['agents']
  /** When the credential ends; RFC 3339. */
  ends?: string | null
  /** Of resource URIs, for answers that name some. */
  uriScheme?: string
}

export interface SetOptions {
  /** The kind of the row; that of the record when absent. */
  as?: HistoryKind
  /** Whether others have to read the change: it raises the revision of an item. True when absent. */
  raise?: boolean
  undoes?: string | undefined
  events?: ChangeEvent[]
  /** What belongs to the row beside the fields of the record, such as the note of a report. */
  also?: { before: State, after: State } | undefined
}

/** Fields that a file has too, of records that are marked field by field. */
const IMPORTED: Partial<Record<RecordKind, readonly string[]>> = {
  item: ['group_id', 'title', 'description', 'status', 'order', 'acceptance'],
  exploration: ['title', 'status', 'tags', 'summaries']
}
const MARKED_WHOLE: ReadonlySet<RecordKind> = new Set(['package', 'question', 'recommendation'])
/** They say nothing to a reader of the history: texts of packages stand in their versions. */
const UNRECORDED = new Set(['revision', 'changed_here', 'position', 'markdown', 'updated_at'])
/** In UTF-16 code units. */
const MAX_EVENT_TEXT = 300
const OF_PLAN: ReadonlySet<RecordKind> = new Set(['item', 'dependency', 'gate', 'conflict'])

export class Change {
  readonly rows: NewHistory[] = []
  #planVersion: number | undefined

  constructor (readonly store: ChangeStore, readonly actor: Actor | undefined, readonly place: Place) {}

  /** Who writes, as records keep it. */
  get author (): Author {
    if (!this.actor) return { user: 'import' }
    const { user, credential, client } = this.actor
    return { user: user.email, ...(credential && { credential: credential.name }), ...(client && { client }) }
  }

  /** The version of the plan as this transaction leaves it; 0 without a plan. */
  async planVersion (): Promise<number> {
    return this.#planVersion ?? (await this.store.plan())?.version ?? 0
  }

  /** @throws {WriteRefusal} `unknown_item` */
  async item (id: string): Promise<ItemState> {
    const item = await this.store.read('item', id)
    // The store gives the fields of the kind that it is asked for.
    if (item) return item as ItemState
    throw new WriteRefusal('unknown_item', `The plan has no item ${JSON.stringify(id)}. get_planning_full lists them.`)
  }

  /** Writes some fields of a record, or deletes it without a patch, and adds the row, unless nothing changes. */
  async set (kind: WrittenKind, id: string, patch: State | undefined, options: SetOptions = {}): Promise<void> {
    const { as = kind, raise = true, undoes, events = [], also } = options
    const before = await this.store.read(kind, id)
    const after = patch && { ...before, ...patch }
    const fields = changedFields(before, after)
    if (fields.length === 0 && !also) return
    const marked = withMark(kind, after, fields, raise)
    if (fields.length > 0 || kind === 'item') await this.store.write(kind, id, marked, raise)
    if (OF_PLAN.has(kind) && (raise || fields.includes('status'))) this.#planVersion ??= await this.store.raisePlan()
    if (kind === 'question') await this.store.publishQuestions()
    this.rows.push({
      kind: as,
      target: id,
      before: before ? { ...picked(before, fields), ...also?.before } : null,
      after: after ? { ...picked(after, fields), ...also?.after } : null,
      ...(undoes !== undefined && { undoes }),
      events: kind === 'item' ? [...itemEvents(id, before, after, raise), ...events] : events
    })
  }

  /** Adds what get_changes says of the last row. */
  note (...events: ChangeEvent[]): void {
    this.rows.at(-1)?.events?.push(...events)
  }

  /** Writes the history. Returns the ids of its rows. */
  async writeHistory (): Promise<string[]> {
    if (this.rows.length === 0) return []
    const rows = this.rows.map((row) => ({ ...row, events: row.events?.map(shortened) }))
    return await this.store.addHistory(this.actor, this.place.workspace, rows)
  }
}

const changedFields = (before: State | undefined, after: State | undefined): string[] =>
  Object.keys({ ...before, ...after }).filter((field) =>
    !isDeepStrictEqual(before?.[field] ?? null, after?.[field] ?? null))

const picked = (state: State | undefined, fields: readonly string[]): State => Object.fromEntries(
  fields.filter((field) => !UNRECORDED.has(field)).map((field) => [field, state?.[field] ?? null]))

/** Marks what an import does not overwrite. A claim is no such change. */
const withMark = (
  kind: RecordKind, after: State | undefined, fields: readonly string[], raise: boolean
): State | undefined => {
  if (!after || !raise) return after
  if (MARKED_WHOLE.has(kind)) return { ...after, changed_here: true }
  const imported = IMPORTED[kind]
  if (!imported) return after
  const marked = Array.isArray(after['changed_here']) ? after['changed_here'] : []
  return { ...after, changed_here: [...new Set([...marked, ...fields.filter((field) => imported.includes(field))])] }
}

/** Texts of events are excerpts: the whole stands in the row. */
const shortened = (event: ChangeEvent): ChangeEvent => event.text === undefined
  ? event
  : { ...event, text: event.text.slice(0, codePointBoundary(event.text, MAX_EVENT_TEXT)) }

const itemEvents = (id: string, before: State | undefined, after: State | undefined, raise: boolean): ChangeEvent[] => {
  if (!raise) return []
  const [from, to] = [before?.['status'] ?? null, after?.['status'] ?? null]
  const text = after === undefined ? 'removed' : from === to ? undefined : [from, to].filter(Boolean).join(' → ')
  return [{ kind: 'item_changed', item_id: id, ...(text !== undefined && { text }) }]
}
