/** The most unfinished items that have to be done one after the other: no critical path, as there are no durations. */
import { longestWays } from './longest-ways.js'
import type { PlanItem, PlanModel } from '../plan-model.js'

export const longestChain = ({ items, links }: PlanModel): PlanItem[] => {
  const unfinished = links.filter(({ from, to, kind }) =>
    kind === 'blocks' && from.status !== 'done' && to.status !== 'done')
  const { lengths, previous } = longestWays(items.length, unfinished.map(({ from, to }) => [from.index, to.index]))
  let last = -1
  let longest = 0
  for (const [index, length] of lengths.entries()) {
    if (length > longest) {
      longest = length
      last = index
    }
  }
  const chain: PlanItem[] = []
  for (let at = last; at >= 0; at = previous[at] ?? -1) {
    const item = items[at]
    if (item !== undefined) chain.push(item)
  }
  return chain.reverse()
}
