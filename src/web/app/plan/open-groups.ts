/** Which groups are open when the picture of a plan is shown first. */
import type { PlanGroup, PlanModel } from './plan-model.js'

/** A plan with more items begins with most groups closed. */
const MAX_ITEMS_ALL_OPEN = 60
const MAX_ACTIVE = 3
// One group with more cards than this is no overview, so it begins closed unless it is the only one.
const MAX_ITEMS_OPEN_GROUP = 200

/**
 * Returns the indexes of open groups: all of a plan of up to 60 items; of a larger one the first three in which
 * something is in progress or blocked, and the first that is not done.
 */
export const initiallyOpenGroups = ({ groups, items }: PlanModel): Set<number> => {
  if (items.length <= MAX_ITEMS_ALL_OPEN) return new Set(groups.map(({ index }) => index))
  const active = groups.filter(({ counts }) => counts.in_progress + counts.blocked > 0).slice(0, MAX_ACTIVE)
  const unfinished = groups.find(({ items: own, counts }) => own.length > 0 && counts.done < own.length)
  const candidates = [...active, ...unfinished === undefined ? [] : [unfinished]]
  const readable = (group: PlanGroup): boolean => group.items.length <= MAX_ITEMS_OPEN_GROUP
  const open = groups.length === 1 ? candidates : candidates.filter(readable)
  return new Set(open.map(({ index }) => index))
}
