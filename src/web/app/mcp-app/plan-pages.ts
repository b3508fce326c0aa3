/** The pages of a plan, as the tool `get_planning_full` answers them, and the plan that they make together. */
import type { JsonObject } from '../../../lib/json/json-object.js'
import type { PlanRecord } from '../plan/plan-record.js'
import { countOf, isObject, objectsOf, oneOf, textOf, textsOf } from './json-values.js'

export interface LoadedPlanPage {
  plan: PlanRecord
  /** Names this state of the plan: its version and time. */
  edition: string
  warning: string
  totalItems: number
  /** '' on the last page. */
  nextCursor: string
}

const orderOf = (value: unknown): number => typeof value === 'number' ? value : Infinity

/** Reads `structuredContent` of one page; undefined if it is none. Parts that are malformed are left out. */
export const readPlanPage = (value: unknown): LoadedPlanPage | undefined => {
  if (!isObject(value) || !Array.isArray(value['items']) || !Array.isArray(value['groups'])) return undefined
  const page: JsonObject = value
  const items = objectsOf(page['items']).map(({ id, group_id: group, title, description, status, order, ...item }) => ({
    id: textOf(id),
    group_id: textOf(group),
    title: textOf(title, 'Untitled'),
    description: textOf(description),
    status: oneOf(status, 'todo', 'in_progress', 'done', 'blocked'),
    order: orderOf(order),
    ...isObject(item['claimed_by']) && { claimed_by: { user: textOf(item['claimed_by']['user'], 'someone') } },
    ...isObject(item['finished']) && { finished: { proposal_id: textOf(item['finished']['proposal_id']) } }
  }))
  return {
    plan: {
      groups: objectsOf(page['groups']).map(({ id, title, order }) =>
        ({ id: textOf(id), title: textOf(title, 'Untitled'), order: orderOf(order) })),
      items,
      dependencies: objectsOf(page['dependencies']).map(({ item_id: item, depends_on: other, kind }) =>
        ({ item_id: textOf(item), depends_on: textOf(other), kind: oneOf(kind, 'blocks', 'relates') })),
      gates: objectsOf(page['gates']).map(({ id, title, after_group_id: group, criteria, status }) => ({
        id: textOf(id),
        title: textOf(title, 'Gate'),
        after_group_id: textOf(group),
        criteria: textsOf(criteria),
        status: oneOf(status, 'open', 'passed', 'failed')
      })),
      conflicts: objectsOf(page['conflicts']).map((conflict) => ({
        id: textOf(conflict['id']),
        item_ids: textsOf(conflict['item_ids']),
        description: textOf(conflict['description']),
        severity: oneOf(conflict['severity'], 'low', 'medium', 'high'),
        status: oneOf(conflict['status'], 'open', 'resolved'),
        resolution: textOf(conflict['resolution'])
      }))
    },
    edition: `${String(page['version'])} ${textOf(page['updated_at'])}`,
    warning: textOf(page['warning']),
    totalItems: countOf(page['total_items'], items.length),
    nextCursor: textOf(page['next_cursor'])
  }
}

/** Joins pages into one plan. A group is on each page that refers to it. */
export const joinPages = (pages: ReadonlyArray<Pick<LoadedPlanPage, 'plan'>>): PlanRecord => ({
  groups: [...new Map(pages.flatMap(({ plan }) => plan.groups).map((group) => [group.id, group])).values()],
  items: pages.flatMap(({ plan }) => plan.items),
  dependencies: pages.flatMap(({ plan }) => plan.dependencies),
  gates: pages.flatMap(({ plan }) => plan.gates),
  conflicts: pages.flatMap(({ plan }) => plan.conflicts)
})
