/** The id of an item that is added: the next number, where the items of its group have numbers. */
import { randomUUID } from 'node:crypto'

const NUMBERED = /^(?!i-[0-9a-f]{8}$)([^~]*?)(\d+)$/

/** `group`: the ids of the group, in order; `all`: those of the plan. A plan in a file has such ids there, too. */
export const nextItemId = (group: readonly string[], all: readonly string[]): string => {
  const [, prefix, number] = group.map((id) => NUMBERED.exec(id)).findLast((found) => found !== null) ?? []
  const random = `i-${randomUUID().slice(0, 8)}`
  if (prefix === undefined || number === undefined) return random
  const numbers = all.flatMap((id) => {
    const [, other, digits] = NUMBERED.exec(id) ?? []
    return other === prefix ? Number(digits) : []
  })
  const next = prefix + String(Math.max(...numbers) + 1).padStart(number.length, '0')
  // More digits than a number has count no further.
  return all.includes(next) ? random : next
}
