/** What a proposal would change, as it is now, and one sentence on what accepting each change does. */
import type { PlanChanges } from '../../planning/changes/plan-changes.js'
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

/** A record is read once; one that is gone has no place, nor has what comes after 4 MB of them. */
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
    const titled = async (kind: RecordKind, id: unknown): Promise<string> =>
      quoted(titleOf(await read(exploration, kind, id) ?? {}) || String(id))
    const titles = {
      of: fields ? quoted(titleOf(fields)) : quoted(titleOf(made) || (target?.id ?? '')),
      group: await titled('group', made['group_id']),
      after: await titled('item', made['after_item_id']),
      on: await titled('item', made['depends_on'])
    }
    const place = target && fields && { ...target, title: titleOf(fields), before: beforeOf(made, fields) }
    return {
      ...made,
      // An import proposes whole packages.
      ...typeof made['markdown'] === 'string' && { markdown: made['markdown'].slice(0, MAX_BEFORE) },
      ...place && written.add(place) && { place },
      effect: EFFECTS[made.kind]?.(made, titles) ?? 'Changes the exploration.'
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

type Titles = Readonly<Record<'of' | 'group' | 'after' | 'on', string>>

const placeOf = ({ after_item_id: after }: ProposedChange, titles: Titles): string =>
  `group ${titles.group}, ` +
    (after === undefined ? 'at its end' : after === '' ? 'at its start' : `after ${titles.after}`)
const membersOf = (made: ProposedChange, among: readonly string[]): string =>
  among.filter((name) => name in made).join(' and ')

const EFFECTS: Readonly<Record<string, (made: ProposedChange, titles: Titles) => string>> = {
  add_item: (made, titles) => `Adds ${titles.of} to the ${placeOf(made, titles)}.`,
  edit_item: (made, { of }) =>
    `Changes ${membersOf(made, ['title', 'description', 'acceptance', 'status'])} of ${of}.`,
  move_item: (made, titles) => `Moves ${titles.of} to the ${placeOf(made, titles)}.`,
  add_dependency: (_, { of, on }) => `${of} waits until ${on} is done.`,
  remove_dependency: (_, { of, on }) => `${of} no longer waits for ${on}.`,
  resolve_conflict: (_, { of }) => `Marks the conflict ${of} as resolved.`,
  set_gate: ({ status }, { of }) => `Sets the gate ${of} to ${String(status)}.`,
  edit_package: ({ artifact_type: type }) => `Writes the next version of the package ${String(type)}.`,
  add_recommendation: (_, { of }) => `Adds the recommendation ${of}, approved by you.`,
  answer_question: (_, { of }) => `Answers ${of}, in your name.`,
  edit_exploration: (made, { of }) => `Changes ${membersOf(made, ['title', 'status', 'tags', 'summaries'])} of ${of}.`,
  complete_item: (_, { of }) => `${of} is done, and what waits for it can start.`
}
