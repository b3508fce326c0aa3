/** Plans for tests of the picture, of any size; the same for the same seed. */
import type { PlanRecord } from '../../src/web/app/plan/plan-record.js'

export interface PlanShape {
  groups: number
  items: number
  seed?: number
}

const WORDS = 'Write tests for the import of large files and measure how long a cold start takes with metrics'.split(' ')

/** Numbers from 0 to 1 that follow from the seed. */
const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** A plan whose earlier groups are done: items wait for one to three items of their group or the one before. */
export const syntheticPlan = ({ groups, items, seed = 1 }: PlanShape): PlanRecord => {
  const random = seededRandom(seed)
  const pick = (below: number): number => Math.floor(random() * below)
  const perGroup = items / groups
  const groupOf = (item: number): number => Math.min(groups - 1, Math.floor(item / perGroup))
  const status = (item: number): 'todo' | 'in_progress' | 'done' | 'blocked' => {
    if (item < items * 0.4) return 'done'
    const chance = random()
    if (item < items * 0.5) return chance < 0.5 ? 'done' : chance < 0.8 ? 'in_progress' : chance < 0.9 ? 'blocked' : 'todo'
    return 'todo'
  }
  const dependencies = Array.from({ length: items }, (_, item) => {
    const group = groupOf(item)
    const first = Math.max(0, Math.floor((group - 1) * perGroup))
    return Array.from({ length: item === 0 ? 0 : pick(3) }, () => ({
      item_id: `i${item}`,
      depends_on: `i${Math.min(item - 1, first + pick(Math.max(1, item - first)))}`,
      kind: random() < 0.9 ? 'blocks' as const : 'relates' as const
    }))
  }).flat()
  return {
    groups: Array.from({ length: groups }, (_, at) => ({ id: `g${at}`, title: `Milestone ${at + 1}`, order: at })),
    items: Array.from({ length: items }, (_, at) => ({
      id: `i${at}`,
      group_id: `g${groupOf(at)}`,
      title: Array.from({ length: 3 + pick(12) }, () => WORDS[pick(WORDS.length)]).join(' '),
      status: status(at),
      order: at
    })),
    dependencies,
    gates: Array.from({ length: groups }, (_, at) => at).filter((at) => at % 2 === 0).map((at) => ({
      id: `t${at}`,
      title: `Review of milestone ${at + 1}`,
      after_group_id: `g${at}`,
      criteria: ['All tests pass'],
      status: at < groups * 0.3 ? 'passed' as const : at % 4 === 0 ? 'open' as const : 'failed' as const
    })),
    conflicts: Array.from({ length: Math.ceil(items / 30) }, (_, at) => ({
      id: `c${at}`,
      item_ids: [...new Set([`i${pick(items)}`, `i${pick(items)}`])],
      description: 'Both change the same table.',
      severity: at % 3 === 0 ? 'low' as const : 'high' as const,
      status: at % 4 === 0 ? 'resolved' as const : 'open' as const
    }))
  }
}
