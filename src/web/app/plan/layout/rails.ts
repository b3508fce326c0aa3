/** At the right of the column, one vertical line for each item that others wait for, beside one another. */
import { endGap } from './edge-paths.js'
import type { MergedLink, NodeKey } from './merged-links.js'
import type { Edge } from './picture.js'

export interface Span { y: number, height: number }

/** The line of one card or closed group, from the highest to the lowest of what it is connected with. */
export interface Rail {
  from: Span
  links: MergedLink[]
  top: number
  bottom: number
}

const MAX_RAILS = 5
const RAIL_STEP = 9
const FIRST_RAIL = 14
const AFTER_LAST = 11
const RADIUS = 4

const middle = ({ y, height }: Span): number => y + height / 2

export const railsWidth = (count: number): number => FIRST_RAIL + (count - 1) * RAIL_STEP + AFTER_LAST

/** One rail for each node that links go out from; links to what is not drawn are left out. */
export const collectRails = (links: readonly MergedLink[], spans: ReadonlyMap<NodeKey, Span>): Rail[] => {
  const rails = new Map<NodeKey, Rail>()
  for (const link of links) {
    const [from, to] = [spans.get(link.from), spans.get(link.to)]
    if (from === undefined || to === undefined) continue
    const rail = rails.get(link.from) ?? { from, links: [], top: middle(from), bottom: middle(from) }
    rail.links.push(link)
    rail.top = Math.min(rail.top, middle(to))
    rail.bottom = Math.max(rail.bottom, middle(to))
    rails.set(link.from, rail)
  }
  return [...rails.values()]
}

/** Gives each rail the first of `count` places that is free over its whole length, or the one that is free soonest. */
const assignPlaces = (rails: readonly Rail[], count: number): Map<Rail, number> => {
  const free = new Array<number>(count).fill(-Infinity)
  const places = new Map<Rail, number>()
  for (const rail of [...rails].sort((one, other) => one.top - other.top)) {
    const first = free.findIndex((until) => until < rail.top)
    const place = first >= 0 ? first : free.indexOf(Math.min(...free))
    free[place] = Math.max(free[place] ?? 0, rail.bottom)
    places.set(rail, place)
  }
  return places
}

/** How many places the rails need beside one another: 5 at most, 0 without rails. */
export const countPlaces = (rails: readonly Rail[]): number =>
  1 + Math.max(-1, ...assignPlaces(rails, MAX_RAILS).values())

/** Draws the links of the rails, which begin at `right`, with `count` places for them. */
export const drawRails = (
  rails: readonly Rail[], spans: ReadonlyMap<NodeKey, Span>, right: number, count: number
): Edge[] => {
  const places = assignPlaces(rails, Math.max(1, count))
  return rails.flatMap((rail) => {
    const x = right + FIRST_RAIL + (places.get(rail) ?? 0) * RAIL_STEP
    return rail.links.flatMap((link): Edge[] => {
      const to = spans.get(link.to)
      return to === undefined ? [] : [drawLink(link, rail.from, to, right, x)]
    })
  })
}

const drawLink = (
  { from, to, links, kind }: MergedLink, source: Span, target: Span, right: number, x: number
): Edge => {
  const [y1, y2] = [middle(source) + 8, middle(target)]
  const down = y2 > y1 ? 1 : -1
  const radius = Math.min(RADIUS, Math.abs(y2 - y1) / 2)
  const path = `M${right} ${y1}H${x - radius}Q${x} ${y1} ${x} ${y1 + down * radius}` +
    `V${y2 - down * radius}Q${x} ${y2} ${x - radius} ${y2}H${right + endGap(kind)}`
  const bounds = { x: right, y: Math.min(y1, y2), width: x - right, height: Math.abs(y2 - y1) }
  return { key: `${from}:${to}`, links, kind, path, tip: { x: right, y: y2, left: true }, bounds }
}
