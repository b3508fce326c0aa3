/** Divides the items of a group into columns: by how many items of the same group each has to wait for in a row. */
import { longestWays } from './longest-ways.js'
import type { PlanGroup, PlanItem } from '../plan-model.js'

export const MAX_ROWS = 8

/** Returns columns of at most 8 items each, dependencies going from left to right; circles do not matter. */
export const laneColumns = ({ items, index }: PlanGroup): PlanItem[][] => {
  const places = new Map(items.map((item, place) => [item, place]))
  const inside = items.flatMap((item, place) => item.before.flatMap(({ from, kind }) => {
    const other = kind === 'blocks' && from.group.index === index ? places.get(from) : undefined
    return other === undefined ? [] : [[other, place] as const]
  }))
  const { lengths } = longestWays(items.length, inside)
  const columns: PlanItem[][] = []
  for (const [place, item] of items.entries()) (columns[lengths[place] ?? 0] ??= []).push(item)
  return columns.flatMap(evenly)
}

/** Breaks a long column into as few as needed, of nearly the same length. */
const evenly = (column: readonly PlanItem[]): PlanItem[][] => {
  const parts = Math.ceil(column.length / MAX_ROWS)
  const length = Math.ceil(column.length / parts)
  return Array.from({ length: parts }, (_, part) => column.slice(part * length, (part + 1) * length))
}
