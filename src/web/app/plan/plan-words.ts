/** Names of options for screen readers, labels of states, the sentence under the title. */
import { countOf, formatNumber } from '../lib/format.js'
import type { PlanGate, PlanGroup, PlanItem, PlanModel } from './plan-model.js'
import type { ItemStatus } from './plan-record.js'

export const STATUS_LABELS: Record<ItemStatus, string> = {
  todo: 'to do',
  in_progress: 'in progress',
  done: 'done',
  blocked: 'blocked'
}

/** Returns the words for an item's state: `ready to start`, `in progress, held by ada@example.com`. */
export const statusLabel = ({ status, ready, holder, proposal }: PlanItem): string => {
  if (proposal !== undefined) return 'finished, waits for a person'
  return (ready ? 'ready to start' : STATUS_LABELS[status]) + (holder === undefined ? '' : `, held by ${holder}`)
}

const openConflicts = ({ conflicts }: Pick<PlanItem, 'conflicts'>): number =>
  conflicts.filter(({ status }) => status === 'open').length

/** Returns the name of an item's option: `Title, to do, waits for 2 items`. */
export const itemName = (item: PlanItem): string => {
  const waitsFor = item.before.filter(({ kind, from }) => kind === 'blocks' && from.status !== 'done').length
  const conflicts = openConflicts(item)
  return [
    item.title,
    statusLabel(item),
    ...waitsFor > 0 && item.status !== 'done' ? [`waits for ${countOf(waitsFor, 'item')}`] : [],
    ...conflicts > 0 ? [countOf(conflicts, 'open conflict')] : []
  ].join(', ')
}

export const groupName = ({ title, items, counts }: PlanGroup, open: boolean): string =>
  `${title}, ${counts.done} of ${items.length} done, ${open ? 'open' : 'closed'} group`

export const gateName = ({ title, status }: PlanGate): string => `Gate: ${title}, ${status}`

/** `11 of 47 items done in 11 groups`, `3 open conflicts`, `1 failed gate`: what the plan is, in pieces of a line. */
export const planClauses = (model: PlanModel): string[] => {
  const conflicts = openConflicts(model)
  const failed = model.gates.filter(({ status }) => status === 'failed').length
  return [
    `${formatNumber(model.counts.done)} of ${countOf(model.items.length, 'item')} done ` +
      `in ${countOf(model.groups.length, 'group')}`,
    ...conflicts > 0 ? [countOf(conflicts, 'open conflict')] : [],
    ...failed > 0 ? [countOf(failed, 'failed gate')] : []
  ]
}
