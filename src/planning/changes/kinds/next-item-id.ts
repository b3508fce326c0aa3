/** The id of an item that is added: the next number, where the items of its group have numbers. */
import { randomUUID } from 'node:crypto'

const NUMBERED = /^(?!i-[0-9a-f]{8}$)([^~]*?)(\d+)$/

/** `group`: in order, each `of` the group with this title; `all`: the ids of the plan, which its file has, too. */
export const nextItemId = (group: ReadonlyArray<{ id: string, of: string }>, all: readonly string[]): string => {
  const [, before, last] = group.map(({ id }) => NUMBERED.exec(id)).findLast((found) => found !== null) ?? []
  const random = `i-${randomUUID().slice(0, 8)}`
  if (before === undefined || last === undefined) return random
  // Where a task makes a group, what is added to one without subtasks is its first.
  const isParent = before === '' && group.length === 1 &&
    (group[0]?.of.startsWith(`${last}. `) || all.some((id) => /^\d+\.\d+$/.test(id)))
  const [prefix, number] = isParent ? [`${last}.`, '0'] : [before, last]
  const numbers = all.flatMap((id) => {
    const [, other, digits] = NUMBERED.exec(id) ?? []
    return other === prefix ? Number(digits) : []
  })
  const next = prefix + String(Math.max(0, ...numbers) + 1).padStart(number.length, '0')
  // More digits than a number has count no further.
  return all.includes(next) ? random : next
}
