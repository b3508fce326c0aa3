/** The lines of the picture, dependencies and conflicts: decoration, as the names say it too. */
import { classNames } from '../components/class-names.js'
import { isEdgeDimmed, isInChain, type Emphasis } from './emphasis.js'
import { overlaps, type Box, type Edge, type Picture } from './layout/picture.js'
import type { PlanConflict, PlanItem } from './plan-model.js'

const arrow = ({ tip: { x, y, left } }: Edge): string => left ? `M${x} ${y}l6-3.2v6.4z` : `M${x} ${y}l-6-3.2v6.4z`

/** 1.25 px for one dependency, up to 3.5 px for many merged ones. */
const strokeWidth = ({ links }: Edge, inChain: boolean): number =>
  inChain ? 2.25 : Math.min(3.5, 1 + 0.25 * Math.ceil(Math.sqrt(links.length)))

export interface PlanEdgesProps {
  edges: readonly Edge[]
  emphasis: Emphasis
  visible: Box | undefined
}

export const PlanEdges = ({ edges, emphasis, visible }: PlanEdgesProps) => {
  const visibleEdges = visible === undefined ? edges : edges.filter(({ bounds }) => overlaps(bounds, visible))
  const chain = visibleEdges.filter((edge) => isInChain(emphasis, edge))
  const others = chain.length === 0 ? visibleEdges : visibleEdges.filter((edge) => !isInChain(emphasis, edge))
  return (
    <g aria-hidden='true'>
      {[...others, ...chain].map((edge) => {
        const inChain = isInChain(emphasis, edge)
        return (
          <g
            key={edge.key}
            class={classNames('plan-edge', inChain && 'plan-edge-chain', isEdgeDimmed(emphasis, edge) && 'plan-dim')}
          >
            <path
              d={edge.path} class={edge.kind === 'relates' ? 'plan-line plan-line-relates' : 'plan-line'}
              stroke-width={strokeWidth(edge, inChain)}
            />
            {edge.kind === 'blocks' && <path d={arrow(edge)} class='plan-arrow' />}
          </g>
        )
      })}
    </g>
  )
}

// More would hide the picture.
const MAX_CONFLICT_LINES = 200

export interface ConflictLinesProps {
  picture: Picture
  conflicts: readonly PlanConflict[]
  visible: Box | undefined
}

/** Dashed lines between the marks of items that conflict, one after the other. */
export const ConflictLines = ({ picture, conflicts, visible }: ConflictLinesProps) => {
  const boxes = new Map<PlanItem, Box>(picture.cards.map((card) => [card.item, card]))
  const lines = conflicts.flatMap(({ index, items }) => {
    const itemBoxes = items.flatMap((item) => boxes.get(item) ?? [])
    return itemBoxes.slice(1).map((to, at) => ({ key: `${index}:${at}`, from: itemBoxes[at] ?? to, to }))
  })
  const visibleLines = lines.filter(({ from, to }) =>
    visible === undefined || overlaps(from, visible) || overlaps(to, visible))
  const mark = ({ x, y, width }: Box): [number, number] => [x + width - 14, y + 13]
  return (
    <g aria-hidden='true'>
      {visibleLines.slice(0, MAX_CONFLICT_LINES).map(({ key, from, to }) => {
        const [[x1, y1], [x2, y2]] = [mark(from), mark(to)]
        const bend = Math.abs(x2 - x1) < 40 ? 40 : 0
        return (
          <path
            key={key} class='plan-conflict-line'
            d={`M${x1} ${y1}Q${(x1 + x2) / 2 + bend} ${(y1 + y2) / 2 - 20} ${x2} ${y2}`}
          />
        )
      })}
    </g>
  )
}
