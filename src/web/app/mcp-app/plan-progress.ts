/** What the tool `get_planning_state` says of a plan: enough for a few lines where the whole plan cannot be had. */
import { countOf, isObject, objectOf, objectsOf, textOf } from './json-values.js'
import type { ItemStatus } from '../plan/plan-record.js'

export interface PlanProgress {
  explorationId: string
  total: number
  counts: Record<ItemStatus, number>
  warning: string
  ready: string[]
  blocking: Array<{ title: string, blocks: number }>
}

const MAX_SHOWN = 10

/** Reads the tool's `structuredContent`; undefined if it is none. */
export const readPlanProgress = (value: unknown): PlanProgress | undefined => {
  if (!isObject(value) || !isObject(value['counts'])) return undefined
  const items = objectOf(value['counts']['items'])
  return {
    explorationId: textOf(value['exploration_id']),
    total: countOf(items['total'], 0),
    counts: {
      todo: countOf(items['todo'], 0),
      in_progress: countOf(items['in_progress'], 0),
      done: countOf(items['done'], 0),
      blocked: countOf(items['blocked'], 0)
    },
    warning: textOf(value['warning']),
    ready: objectsOf(value['ready']).slice(0, MAX_SHOWN).map(({ title }) => textOf(title, 'Untitled')),
    blocking: objectsOf(value['blocking']).slice(0, MAX_SHOWN).map(({ title, blocks }) =>
      ({ title: textOf(title, 'Untitled'), blocks: countOf(blocks, 0) }))
  }
}
