/** What a layout answers: boxes and lines in px, ready to draw. Both layouts, columns and rails, answer this. */
import type { PlanGate, PlanGroup, PlanItem, PlanLink } from '../plan-model.js'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Lane extends Box {
  group: PlanGroup
  open: boolean
  head: Box
}

export interface Card extends Box {
  item: PlanItem
}

/** What a closed group shows instead of its cards: its counts. */
export interface Summary extends Box {
  group: PlanGroup
}

export interface GateMark extends Box {
  gate: PlanGate
  labelled: boolean
  /** The end of the dotted line under the mark, undefined without one. */
  lineTo?: number
}

/** A line between two cards or closed groups: one dependency, or several merged ones. */
export interface Edge {
  key: string
  links: PlanLink[]
  kind: 'blocks' | 'relates'
  path: string
  /** Its arrowhead: the tip, and whether it points to the left. */
  tip: { x: number, y: number, left: boolean }
  bounds: Box
}

export type Target =
  | { type: 'group', index: number }
  | { type: 'item', index: number }
  | { type: 'gate', index: number }

export interface Picture {
  kind: 'columns' | 'rails'
  width: number
  height: number
  lanes: Lane[]
  cards: Card[]
  summaries: Summary[]
  gates: GateMark[]
  edges: Edge[]
  /** Everything that the keyboard reaches, in the order of reading. */
  targets: Target[]
}

export const targetKey = ({ type, index }: Target): string => `${type}-${index}`

export const overlaps = (one: Box, other: Box): boolean =>
  one.x <= other.x + other.width && other.x <= one.x + one.width &&
  one.y <= other.y + other.height && other.y <= one.y + one.height
