/**
 * The picture for narrow places (phones, most chats): everything in one column, gates as rows, and at the right one
 * vertical line for each item that others wait for.
 */
import { ARROW } from './edge-paths.js'
import { groupNode, mergeLinks, type MergedLink, type NodeKey } from './merged-links.js'
import type { Box, Card, Edge, GateMark, Lane, Picture, Summary, Target } from './picture.js'
import type { PlanModel } from './plan-model.js'

const PADDING = 12
const HEAD_HEIGHT = 44
const CARD_HEIGHT = 52
const CARD_GAP = 8
const SUMMARY_HEIGHT = 36
const GATE_HEIGHT = 40
const GATE_SIZE = 24
const LANE_GAP = 8
const RAIL_STEP = 9
const MAX_RAILS = 5
const RAILS_WIDTH = 16 + MAX_RAILS * RAIL_STEP
const RADIUS = 4

/** Lays out the plan `width` px wide (at least 280) with the groups of `open` (indexes) unfolded. */
export const layoutRails = (model: PlanModel, open: ReadonlySet<number>, width: number): Picture => {
  const outer = Math.max(280, width)
  const cardWidth = outer - PADDING - RAILS_WIDTH
  const boxes = new Map<NodeKey, Box>()
  const lanes: Lane[] = []
  const cards: Card[] = []
  const summaries: Summary[] = []
  const gates: GateMark[] = []
  const targets: Target[] = []
  let y = 0
  for (const group of model.groups) {
    const top = y
    const unfolded = open.has(group.index)
    targets.push({ type: 'group', index: group.index })
    y += HEAD_HEIGHT + CARD_GAP
    for (const item of unfolded ? group.items : []) {
      const box = { x: PADDING, y, width: cardWidth, height: CARD_HEIGHT }
      boxes.set(item.index, box)
      cards.push({ item, ...box })
      targets.push({ type: 'item', index: item.index })
      y += CARD_HEIGHT + CARD_GAP
    }
    if (!unfolded) {
      const box = { x: PADDING, y, width: cardWidth, height: SUMMARY_HEIGHT }
      boxes.set(groupNode(group.index), box)
      summaries.push({ group, ...box })
      y += SUMMARY_HEIGHT + CARD_GAP
    }
    const head = { x: PADDING, y: top, width: cardWidth, height: HEAD_HEIGHT }
    lanes.push({ group, open: unfolded, x: 0, y: top, width: outer, height: y - top, head })
    for (const gate of group.gates) {
      gates.push({
        gate,
        labelled: true,
        x: PADDING,
        y: y + (GATE_HEIGHT - GATE_SIZE) / 2,
        width: cardWidth,
        height: GATE_SIZE
      })
      targets.push({ type: 'gate', index: gate.index })
      y += GATE_HEIGHT
    }
    if (group.gates.length === 0) y += LANE_GAP
  }
  const edges = drawRails(mergeLinks(model, open), boxes, PADDING + cardWidth)
  return { kind: 'rails', width: outer, height: y, lanes, cards, summaries, gates, edges, targets }
}

interface Rail {
  from: Box
  links: MergedLink[]
  top: number
  bottom: number
}

const middle = ({ y, height }: Box): number => y + height / 2

const drawRails = (links: readonly MergedLink[], boxes: ReadonlyMap<NodeKey, Box>, right: number): Edge[] => {
  const rails = new Map<NodeKey, Rail>()
  for (const link of links) {
    const [from, to] = [boxes.get(link.from), boxes.get(link.to)]
    if (from === undefined || to === undefined) continue
    const rail = rails.get(link.from) ?? { from, links: [], top: middle(from), bottom: middle(from) }
    rail.links.push(link)
    rail.top = Math.min(rail.top, middle(to))
    rail.bottom = Math.max(rail.bottom, middle(to))
    rails.set(link.from, rail)
  }
  const places = assignPlaces([...rails.values()])
  return [...rails.values()].flatMap((rail) => {
    const x = right + 14 + (places.get(rail) ?? 0) * RAIL_STEP
    return rail.links.flatMap((link): Edge[] => {
      const to = boxes.get(link.to)
      return to === undefined ? [] : [drawRail(link, rail.from, to, right, x)]
    })
  })
}

/** Gives each rail the first place that is free over its whole length, or the one that is free the soonest. */
const assignPlaces = (rails: readonly Rail[]): Map<Rail, number> => {
  const free = new Array<number>(MAX_RAILS).fill(-Infinity)
  const places = new Map<Rail, number>()
  for (const rail of [...rails].sort((one, other) => one.top - other.top)) {
    const first = free.findIndex((until) => until < rail.top)
    const place = first >= 0 ? first : free.indexOf(Math.min(...free))
    free[place] = Math.max(free[place] ?? 0, rail.bottom)
    places.set(rail, place)
  }
  return places
}

const drawRail = ({ from, to, links, kind }: MergedLink, source: Box, target: Box, right: number, x: number): Edge => {
  const [y1, y2] = [middle(source) + 8, middle(target)]
  const down = y2 > y1 ? 1 : -1
  const radius = Math.min(RADIUS, Math.abs(y2 - y1) / 2)
  const path = `M${right} ${y1}H${x - radius}Q${x} ${y1} ${x} ${y1 + down * radius}` +
    `V${y2 - down * radius}Q${x} ${y2} ${x - radius} ${y2}H${right + ARROW}`
  const bounds = { x: right, y: Math.min(y1, y2), width: x - right, height: Math.abs(y2 - y1) }
  return { key: `${from}:${to}`, links, kind, path, tip: { x: right, y: y2, left: true }, bounds }
}
