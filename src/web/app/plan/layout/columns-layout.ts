/** The picture for wide places: groups are lanes from left to right, with their items in columns by depth. */
import { createPorts, drawRoute } from './edge-paths.js'
import { laneColumns, MAX_ROWS } from './lane-columns.js'
import { groupNode, mergeLinks, type NodeKey } from './merged-links.js'
import { orderSlots } from './order-slots.js'
import type { Box, Card, Edge, GateMark, Lane, Picture, Summary, Target } from './picture.js'
import type { PlanGroup, PlanItem, PlanModel } from '../plan-model.js'
import { routeLinks, type Slot } from './slots.js'

const CARD_WIDTH = 212
const CARD_HEIGHT = 52
const SUMMARY_WIDTH = 128
const SUMMARY_HEIGHT = 96
const COLUMN_GAP = 44
const LANE_GAP = 56
const LANE_PADDING = 10
const HEAD_HEIGHT = 60
const BODY_TOP = 76
const BODY_BOTTOM = 16
const MIN_BODY = 160
const EDGE = 6
const GATE_SIZE = 24
const GATE_STEP = 32
const MAX_GATES = 6

interface LaneColumnsPlace {
  group: PlanGroup
  open: boolean
  first: number
  count: number
}

/** Whether all of a plan is as wide as `room` px with the items of each group in one column, and is wider otherwise. */
export const isStacked = (groups: readonly PlanGroup[], room: number): boolean => {
  const width = (columns: number): number =>
    columns * (CARD_WIDTH + COLUMN_GAP) - COLUMN_GAP + 2 * LANE_PADDING + LANE_GAP
  return groups.length * width(1) <= room && groups.every(({ items }) => items.length <= MAX_ROWS) &&
    groups.reduce((sum, group) => sum + width(laneColumns(group).length), 0) > room
}

/** Lays out the plan with the groups of `open` (indexes) unfolded, `stacked` into one column each. Never fails. */
export const layoutColumns = (model: PlanModel, open: ReadonlySet<number>, stacked = false): Picture => {
  const columns: Slot[][] = []
  const nodes = new Map<NodeKey, Slot>()
  const addColumn = (members: ReadonlyArray<readonly [NodeKey, number]>): void => {
    columns.push(members.map(([node, height]) => {
      const slot: Slot = { column: columns.length, height, y: 0, node, left: new Set(), right: new Set() }
      nodes.set(node, slot)
      return slot
    }))
  }
  const places = model.groups.map((group): LaneColumnsPlace => {
    const first = columns.length
    const unfolded = open.has(group.index)
    const inside = laneColumns(group)
    if (!unfolded) addColumn([[groupNode(group.index), SUMMARY_HEIGHT]])
    for (const column of unfolded ? stacked ? [inside.flat()] : inside : []) {
      addColumn(column.map(({ index }) => [index, CARD_HEIGHT]))
    }
    if (columns.length === first) addColumn([])
    return { group, open: unfolded, first, count: columns.length - first }
  })
  const routes = routeLinks(columns, nodes, mergeLinks(model, open))
  orderSlots(columns)

  const bodyHeight = Math.max(MIN_BODY, ...columns.map((column) => {
    const last = column.at(-1)
    return last === undefined ? 0 : last.y + last.height
  }))
  const height = EDGE + BODY_TOP + bodyHeight + BODY_BOTTOM + EDGE
  const leftEdges: number[] = []
  const widths: number[] = []
  const lanes: Lane[] = []
  const gates: GateMark[] = []
  let x = EDGE
  for (const { group, open: unfolded, first, count } of places) {
    const columnWidth = unfolded ? CARD_WIDTH : SUMMARY_WIDTH
    for (let at = 0; at < count; at++) {
      leftEdges[first + at] = x + LANE_PADDING + at * (columnWidth + COLUMN_GAP)
      widths[first + at] = columnWidth
    }
    const width = 2 * LANE_PADDING + count * columnWidth + (count - 1) * COLUMN_GAP
    lanes.push({
      group,
      open: unfolded,
      x,
      y: EDGE,
      width,
      height: height - 2 * EDGE,
      head: { x: x + LANE_PADDING, y: EDGE, width: Math.min(width - 2 * LANE_PADDING, 300), height: HEAD_HEIGHT }
    })
    gates.push(...gateMarks(group, x + width + LANE_GAP / 2, height - EDGE))
    x += width + LANE_GAP
  }
  const width = x - LANE_GAP + EDGE + (model.groups.at(-1)?.gates.length ? LANE_GAP : 0)

  const boxOf = (slot: Slot): Box => ({
    x: leftEdges[slot.column] ?? 0,
    y: EDGE + BODY_TOP + slot.y,
    width: widths[slot.column] ?? 0,
    height: slot.height
  })
  const cards: Card[] = []
  const summaries: Summary[] = []
  const targets: Target[] = []
  for (const { group, open: unfolded, first, count } of places) {
    targets.push({ type: 'group', index: group.index })
    for (const slot of columns.slice(first, first + count).flat()) {
      if (slot.node === undefined) continue
      const item: PlanItem | undefined = slot.node < 0 ? undefined : model.items[slot.node]
      if (item !== undefined) {
        cards.push({ item, ...boxOf(slot) })
        targets.push({ type: 'item', index: item.index })
      } else if (!unfolded) summaries.push({ group, ...boxOf(slot) })
    }
    targets.push(...group.gates.slice(0, MAX_GATES).map(({ index }): Target => ({ type: 'gate', index })))
  }
  const ports = createPorts(boxOf)
  let below = 0
  const edges = routes.map((route): Edge => {
    if (route.direction === 'below') below++
    const line = drawRoute(route, boxOf, ports, height - EDGE - BODY_BOTTOM / 2 + (below % 4))
    const { from, to, links, kind } = route.link
    return { key: `${from}:${to}`, links, kind, ...line }
  })
  return { kind: 'columns', width: Math.max(width, 2 * EDGE), height, lanes, cards, summaries, gates, edges, targets }
}

/** The marks of a group's gates under one another in the gap behind its lane; the list has those beyond the sixth. */
const gateMarks = ({ gates }: PlanGroup, centre: number, bottom: number): GateMark[] => {
  const visibleGates = gates.slice(0, MAX_GATES)
  return visibleGates.map((gate, at) => ({
    gate,
    labelled: false,
    x: centre - GATE_SIZE / 2,
    y: EDGE + 10 + at * GATE_STEP,
    width: GATE_SIZE,
    height: GATE_SIZE,
    ...(at === visibleGates.length - 1 && { lineTo: bottom - 8 })
  }))
}
