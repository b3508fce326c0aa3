/** What a proposal would change, as it is now, and one sentence on what accepting each change does. */
import type { PlanChanges } from '../../planning/changes/ports.js'
import type { Proposal, ProposedChange, RecordKind, State } from '../../planning/changes/records.js'
import { targetOf } from '../../planning/changes/change-kinds.js'
import { createWrittenBytes } from './written-bytes.js'

const MAX_TITLE = 300
/** Of a text before its change, in UTF-16 code units. */
const MAX_BEFORE = 100_000
const MAX_BYTES = 4_000_000

export interface PlacedChange {
  place?: { kind: RecordKind, id: string, title: string, before: State }
  effect: string
}

/**
 * Returns the proposals with their changes in their places. A record is read once; one that is gone has no place, nor
 * has what comes after 4 MB of them.
 */
export const placeChanges = async ({ record }: Pick<PlanChanges, 'record'>, proposals: readonly Proposal[]) => {
  const written = createWrittenBytes(MAX_BYTES)
  const known = new Map<string, Promise<State | undefined>>()
  const read = async (exploration: string, kind: RecordKind, id: unknown): Promise<State | undefined> => {
    if (typeof id !== 'string') return undefined
    const key = `${exploration} ${kind} ${id}`
    const found = known.get(key) ?? record(exploration, kind, id).then((shown) => shown?.fields)
    known.set(key, found)
    return await found
  }
  const placed = async (exploration: string, made: ProposedChange): Promise<ProposedChange & PlacedChange> => {
    const target = targetOf(made, exploration)
    const fields = target && await read(exploration, target.kind, target.id)
    const other = titleOf(await read(exploration, 'item', made['depends_on']) ??
      await read(exploration, 'group', made['group_id']) ?? {})
    const place = target && fields && { ...target, title: titleOf(fields), before: beforeOf(made, fields) }
    return {
      ...made,
      // An import proposes whole packages.
      ...typeof made['markdown'] === 'string' && { markdown: made['markdown'].slice(0, MAX_BEFORE) },
      ...place && written.add(place) && { place },
      effect: EFFECTS[made.kind]?.(made, other) ?? 'Changes the exploration.'
    }
  }
  return await Promise.all(proposals.map(async (proposal) => ({
    ...proposal,
    changes: await Promise.all(proposal.changes.map((made) => placed(proposal.exploration_id, made)))
  })))
}

const titleOf = ({ title, question, description, artifact_type: type }: State): string =>
  String(title ?? question ?? description ?? type ?? '').slice(0, MAX_TITLE)

/** Of the record, what the change replaces. */
const beforeOf = (made: ProposedChange, fields: State): State => Object.fromEntries(
  Object.keys(made).filter((name) => name !== 'kind' && !name.endsWith('_id') && fields[name] !== undefined)
    .map((name) => {
      const value = fields[name]
      return [name, typeof value === 'string' ? value.slice(0, MAX_BEFORE) : value]
    }))

const quoted = (title: string): string => `“${title}”`

const EFFECTS: Readonly<Record<string, (made: ProposedChange, other: string) => string>> = {
  add_item: (_, group) => `Adds an item to the group ${quoted(group)}.`,
  edit_item: (made) => `Changes ${['title', 'description', 'acceptance', 'status']
    .filter((name) => name in made).join(' and ')} of the item.`,
  move_item: (_, group) => `Moves the item within or to the group ${quoted(group)}.`,
  add_dependency: (_, on) => `The item waits until ${quoted(on)} is done.`,
  remove_dependency: (_, on) => `The item no longer waits for ${quoted(on)}.`,
  resolve_conflict: () => 'Marks the conflict as resolved.',
  set_gate: ({ status }) => `Sets the gate to ${String(status)}.`,
  edit_package: ({ artifact_type: type }) => `Writes the next version of the package ${String(type)}.`,
  add_recommendation: () => 'Adds a recommendation, approved by you.',
  answer_question: () => 'Answers the question, in your name.',
  edit_exploration: () => 'Changes the exploration.',
  complete_item: () => 'The item is done, and what waits for it can start.'
}
