/** The picture for narrow places: one column from edge to edge, and the lines of dependencies at the right. */
import { groupNode, mergeLinks, type NodeKey } from './merged-links.js'
import type { Picture, Target } from './picture.js'
import type { PlanGate, PlanGroup, PlanItem, PlanModel } from '../plan-model.js'
import { collectRails, countPlaces, drawRails, railsWidth, type Span } from './rails.js'

const PADDING = 12
const HEAD_HEIGHT = 44
const CARD_HEIGHT = 52
const CARD_GAP = 8
const SUMMARY_HEIGHT = 36
const GATE_HEIGHT = 40
const GATE_SIZE = 24
const LANE_GAP = 8
const MIN_WIDTH = 280

/** What stands where in the column, before its width is known. */
interface RailsColumn {
  groups: Array<Span & { group: PlanGroup, open: boolean }>
  items: Array<Span & { item: PlanItem }>
  summaries: Array<Span & { group: PlanGroup }>
  gates: Array<Span & { gate: PlanGate }>
  /** Of items and closed groups. */
  spans: Map<NodeKey, Span>
  targets: Target[]
  height: number
}

/** Lays out the plan `width` px wide (at least 280) with the groups of `open` (indexes) unfolded. */
export const layoutRails = (model: PlanModel, open: ReadonlySet<number>, width: number): Picture => {
  const outer = Math.max(MIN_WIDTH, width)
  const { groups, items, summaries, gates, spans, targets, height } = stack(model, open)
  const places = placesOfWholePlan(model)
  const cardWidth = outer - PADDING - (places === 0 ? PADDING : railsWidth(places))
  const box = { x: PADDING, width: cardWidth }
  return {
    kind: 'rails',
    width: outer,
    height,
    // The sides of a band lie outside, and so does the upper one of the first.
    lanes: groups.map((lane, at) => ({
      ...lane,
      x: -1,
      y: at === 0 ? -1 : lane.y,
      width: outer + 2,
      height: at === 0 ? lane.height + 1 : lane.height,
      head: { ...box, y: lane.y, height: HEAD_HEIGHT }
    })),
    cards: items.map((card) => ({ ...card, ...box })),
    summaries: summaries.map((summary) => ({ ...summary, ...box })),
    gates: gates.map((gate) => ({ ...gate, ...box, labelled: true })),
    edges: drawRails(collectRails(mergeLinks(model, open), spans), spans, PADDING + cardWidth, places),
    targets
  }
}

/** The places that the lines need with every group open, so that cards keep their width when groups open and close. */
const placesOfWholePlan = (model: PlanModel): number => {
  const all = new Set(model.groups.map(({ index }) => index))
  return countPlaces(collectRails(mergeLinks(model, all), stack(model, all).spans))
}

const stack = (model: PlanModel, open: ReadonlySet<number>): RailsColumn => {
  const column: RailsColumn = {
    groups: [], items: [], summaries: [], gates: [], spans: new Map(), targets: [], height: 0
  }
  let y = 0
  const addCard = (node: NodeKey, height: number): Span => {
    const span = { y, height }
    column.spans.set(node, span)
    y += height + CARD_GAP
    return span
  }
  for (const group of model.groups) {
    const top = y
    const unfolded = open.has(group.index)
    column.targets.push({ type: 'group', index: group.index })
    y += HEAD_HEIGHT + CARD_GAP
    for (const item of unfolded ? group.items : []) {
      column.items.push({ item, ...addCard(item.index, CARD_HEIGHT) })
      column.targets.push({ type: 'item', index: item.index })
    }
    if (!unfolded) column.summaries.push({ group, ...addCard(groupNode(group.index), SUMMARY_HEIGHT) })
    column.groups.push({ group, open: unfolded, y: top, height: y - top })
    for (const gate of group.gates) {
      column.gates.push({ gate, y: y + (GATE_HEIGHT - GATE_SIZE) / 2, height: GATE_SIZE })
      column.targets.push({ type: 'gate', index: gate.index })
      y += GATE_HEIGHT
    }
    if (group.gates.length === 0) y += LANE_GAP
  }
  column.height = y
  return column
}
