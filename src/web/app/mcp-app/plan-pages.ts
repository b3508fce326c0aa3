/** What the tools `get_planning_full`, page by page, and `get_planning_state` answer of a plan. */
import type { PlanRecord } from '../plan/plan-record.js'
import { fit, isObject, oneOf } from './json-values.js'

const title = 'Untitled'

const PAGE = {
  groups: [{ id: '', title, order: Infinity }],
  items: [{
    id: '',
    group_id: '',
    title,
    description: '',
    status: oneOf('todo', 'in_progress', 'done', 'blocked'),
    order: Infinity,
    claimed_by: { user: '' },
    finished: { proposal_id: '' }
  }],
  dependencies: [{ item_id: '', depends_on: '', kind: oneOf('blocks', 'relates') }],
  gates: [{ id: '', title: 'Gate', after_group_id: '', criteria: [''], status: oneOf('open', 'passed', 'failed') }],
  conflicts: [{
    id: '',
    item_ids: [''],
    description: '',
    severity: oneOf('low', 'medium', 'high'),
    status: oneOf('open', 'resolved'),
    resolution: ''
  }],
  /** Name this state of the plan. */
  version: 0,
  updated_at: '',
  warning: '',
  total_items: 0,
  /** '' on the last page. */
  next_cursor: ''
}

const PROGRESS = {
  exploration_id: '',
  warning: '',
  counts: { items: { total: 0, todo: 0, in_progress: 0, done: 0, blocked: 0 } },
  ready: [{ title }],
  blocking: [{ title, blocks: 0 }]
}

export type PlanPage = typeof PAGE
/** Enough for a few lines where the whole plan cannot be had. */
export type PlanProgress = typeof PROGRESS

/** Reads `structuredContent` of one page; undefined if it is none. Parts that are malformed are left out. */
export const readPlanPage = (value: unknown): PlanPage | undefined =>
  isObject(value) && Array.isArray(value['items']) && Array.isArray(value['groups']) ? fit(value, PAGE) : undefined

export const readPlanProgress = (value: unknown): PlanProgress | undefined =>
  isObject(value) && isObject(value['counts']) ? fit(value, PROGRESS) : undefined

/** Joins pages into one plan. A group is on each page that refers to it. */
export const joinPages = (pages: readonly PlanPage[]): PlanRecord => ({
  groups: [...new Map(pages.flatMap(({ groups }) => groups).map((group) => [group.id, group])).values()],
  items: pages.flatMap(({ items }) => items),
  dependencies: pages.flatMap(({ dependencies }) => dependencies),
  gates: pages.flatMap(({ gates }) => gates),
  conflicts: pages.flatMap(({ conflicts }) => conflicts)
})
