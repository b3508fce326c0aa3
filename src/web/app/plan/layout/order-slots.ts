/** Orders the slots of each column so that few lines cross: barycentre sweeps, the best order of all of them. */
import type { Slot } from './slots.js'

const SWEEPS = 6
const CARD_GAP = 12

/** Puts the slots of a column under one another from the top; sets their `y`. Returns the column's height in px. */
const stackSlots = (column: readonly Slot[]): number => {
  let y = 0
  let before: Slot | undefined
  for (const slot of column) {
    // Lines that pass need less room between them than cards.
    if (before !== undefined && (slot.node !== undefined || before.node !== undefined)) y += CARD_GAP
    slot.y = y
    y += slot.height
    before = slot
  }
  return y
}

const centre = ({ y, height }: Slot): number => y + height / 2

/** Sorts the slots of each column and stacks them. Keeps the given order where another is not better. */
export const orderSlots = (columns: Slot[][]): void => {
  for (const column of columns) stackSlots(column)
  let best = columns.map((column) => [...column])
  let fewest = crossings(columns)
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    const forward = sweep % 2 === 0
    for (const column of forward ? columns : [...columns].reverse()) {
      const weights = new Map(column.map((slot) => [slot, weight(slot, forward ? slot.left : slot.right)]))
      column.sort((one, other) => (weights.get(one) ?? 0) - (weights.get(other) ?? 0))
      stackSlots(column)
    }
    const count = crossings(columns)
    if (count < fewest) {
      fewest = count
      best = columns.map((column) => [...column])
    }
  }
  for (const [at, column] of best.entries()) {
    columns[at] = column
    stackSlots(column)
  }
}

const weight = (slot: Slot, neighbours: ReadonlySet<Slot>): number => neighbours.size === 0
  ? centre(slot)
  : [...neighbours].reduce((sum, neighbour) => sum + centre(neighbour), 0) / neighbours.size

/** How many pairs of lines cross between neighbouring columns. */
const crossings = (columns: readonly Slot[][]): number => columns.reduce((sum, column) => {
  const ends = column.flatMap(({ right }) => [...right].map(centre).sort((one, other) => one - other))
  return sum + inversions(ends)
}, 0)

/** How many pairs of numbers stand in the wrong order: each is put among those before it. */
const inversions = (numbers: readonly number[]): number => {
  const sorted: number[] = []
  return numbers.reduce((count, number) => {
    let [from, to] = [0, sorted.length]
    while (from < to) {
      const middle = Math.floor((from + to) / 2)
      if ((sorted[middle] ?? 0) <= number) from = middle + 1
      else to = middle
    }
    sorted.splice(from, 0, number)
    return count + sorted.length - 1 - from
  }, 0)
}
