/** What the files of a source do not say yet: what was changed here, compared with what converting them gives. */
import type { ItemStatus, PlanItem } from '../../planning/records.js'
import { oneLine } from '../markdown/blocks.js'
import type { ExplorationRecords } from '../records/to-records.js'
import type { FormatId } from '../types.js'
import type { ChangedExploration, ChangedItem } from '../sync/changed-here.js'
import { boxSays } from './checkbox.js'

/** One change of one file; `id` as the file has it. */
export type Wanted = { kind: 'status', id: string, status: ItemStatus } | WantedTask | WantedAnswer
export type WantedTask = { kind: 'task' } & ChangedItem
/** `said`: the answer in the file. An answer is one line; '' is none. */
export interface WantedAnswer { kind: 'answer', id: string, question: string, said: string, answer: string }

/** Those whose files are written; plans of the others stay as they are. */
const BOXES: readonly string[] = ['spec-kit', 'openspec', 'kiro', 'checklist']
export const WRITTEN: readonly string[] = [...BOXES, 'backlog-md', 'task-master']

/** Whether a status in the file says as much of ours as the format can. */
export const says = (format: FormatId, found: ItemStatus, status: ItemStatus): boolean =>
  found === status || (BOXES.includes(format) && boxSays(found, status))

/**
 * What the file of an exploration is to say, and in sentences what it cannot. An item is found by its id, or by its
 * title where lines have moved. `disputed`: also a status that the file has changed since its last import, or for
 * which an import's proposal is still open.
 */
export const wantedOf = (
  { format, plan, exploration }: ExplorationRecords, changed: ChangedExploration, { disputed }: { disputed: boolean }
): { wanted: Wanted[], left: string[] } => {
  const wanted: Wanted[] = []
  const left: string[] = []
  const items = plan?.items ?? []
  const itemOf = ({ id, title, group_id: group, fields }: ChangedItem): PlanItem | undefined => {
    const same = items.find((item) => item.id === id)
    if (same && (same.title === title || fields.includes('title'))) return same
    const isHere = fields.includes('group_id')
    const titled = items.filter((item) => item.title === title && (!isHere || item.group_id === group))
    return titled.length === 1 ? titled[0] : undefined
  }
  for (const item of changed.items) {
    const { id, status, fields } = item
    const found = itemOf(item)
    const isNew = ['group_id', 'title', 'status'].every((field) => fields.includes(field))
    const others = fields.filter((field) => (isNew ? /^(?:description|acceptance)$/ : /^(?!status$)/).test(field))
    if (!found && isNew) wanted.push({ ...item, kind: 'task' })
    else if (!found) left.push(`${id}: its line is not found`)
    else {
      const isFree = disputed || (!item.disputed && [undefined, found.status].includes(item.imported_status))
      if (fields.includes('status') && isFree && !says(format, found.status, status)) {
        wanted.push({ kind: 'status', id: found.id, status })
      }
    }
    if (others[0] && (isNew ? !found && format !== 'backlog-md' : found)) left.push(`${id}: ${others.join(', ')}`)
  }
  for (const { former, answer, ...asked } of changed.questions) {
    const said = exploration.questions.find(({ question }) => question === asked.question)
    const [now = '', ...ours] = [answer ?? '', ...former, ''].map(oneLine)
    const old = said?.answer ?? ''
    const words = JSON.stringify(asked.question.slice(0, 200))
    if (!said && now !== '') left.push(`the answer to ${words}: no file has this question`)
    if (said && old !== now && ours.includes(old)) wanted.push({ ...asked, kind: 'answer', said: old, answer: now })
  }
  return { wanted, left }
}
