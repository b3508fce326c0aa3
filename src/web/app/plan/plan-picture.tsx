/**
 * The picture of a plan in the frame that it scrolls in: one SVG, a listbox that is a single stop of the Tab key, moved
 * through by the keyboard; `aria-activedescendant` names what is active. Of a large picture only the part on the screen
 * is in the document.
 */
import { useMemo } from 'preact/hooks'
import { createEmphasis, isDimmed } from './emphasis.js'
import { overlaps, targetKey, type Box, type Picture, type Target } from './layout/picture.js'
import type { PlanMeasures } from './layout/text-measure.js'
import { nextTarget } from './next-target.js'
import { ConflictLines, PlanEdges } from './plan-edges.js'
import type { PlanGroup, PlanItem } from './plan-model.js'
import { LaneHead, PlanCard, PlanGateMark, SummaryCard, type OptionContext } from './plan-nodes.js'
import type { PlanState } from './plan-state.js'
import type { DrawnPicture } from './use-picture.js'

interface PlanPictureProps {
  id: string
  /** Its name for screen readers. */
  label: string
  state: PlanState
  drawn: DrawnPicture
}

export const PlanPicture = (props: PlanPictureProps) => {
  const { state: { model }, drawn: { picture, measures, scroller } } = props
  return (
    <div class='plan-scroller' ref={scroller}>
      {model.groups.length === 0 && <p class='plan-empty'>This plan has no groups and no items yet.</p>}
      {picture && measures && model.groups.length > 0 && <PlanSvg {...props} picture={picture} measures={measures} />}
    </div>
  )
}

const PlanSvg = (
  { id, label, state, drawn, picture, measures }: PlanPictureProps & { picture: Picture, measures: PlanMeasures }
) => {
  const { model, active, activate, open, setOpen, filter, chosen } = state
  const { zoom, visible, svg, hold } = drawn
  const emphasis = useMemo(
    () => createEmphasis(model, { active, chosen, chain: filter?.value === 'chain' ? filter.items : [] }),
    [model, active, chosen, filter]
  )
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') return activate(undefined)
    const group = active?.type === 'group' ? active.index : undefined
    if (group !== undefined && /^(?:Enter| |ArrowLeft|ArrowRight)$/.test(event.key)) {
      setOpen(group, event.key === 'ArrowRight' || (event.key !== 'ArrowLeft' && !open.has(group)))
    } else {
      const target = nextTarget(picture, model, active, event.key)
      if (target === undefined) return
      activate(target)
    }
    event.preventDefault()
  }
  const conflicts = model.conflicts.filter(({ status, items }) => status === 'open' && items.length > 1 &&
    (filter?.value === 'conflicts' || items.some((item) => active?.type === 'item' && item.index === active.index)))
  const onActivate = (target: Target | undefined): void => {
    if (target?.type === 'group') setOpen(target.index, !open.has(target.index))
    activate(target)
    hold(target)
  }
  const onOpen = ({ index }: PlanGroup): void => {
    setOpen(index, true)
    hold({ type: 'group', index })
  }
  const places = useMemo(() => new Map(picture.targets.map((target, at) => [targetKey(target), at])), [picture])
  const context: OptionContext = {
    id,
    active,
    size: picture.targets.length,
    placeOf: (target) => places.get(targetKey(target)) ?? 0,
    onActivate,
    measures
  }
  const isActive = (target: Target): boolean => active !== undefined && targetKey(active) === targetKey(target)
  const isDrawn = (box: Box): boolean => visible === undefined || overlaps(box, visible)
  const cards = Map.groupBy(picture.cards.filter((card) =>
    isDrawn(card) || isActive({ type: 'item', index: card.item.index })), ({ item }) => item.group)
  const gates = Map.groupBy(picture.gates.filter((mark) =>
    isDrawn(mark) || isActive({ type: 'gate', index: mark.gate.index })), ({ gate }) => gate.group)
  const lanes = picture.lanes.filter((lane) => isDrawn(lane) || cards.has(lane.group) || gates.has(lane.group) ||
    isActive({ type: 'group', index: lane.group.index }))
  const chainGroups = new Set([...emphasis.chain].map(({ group }) => group))
  const inChain = (item: PlanItem): boolean => emphasis.chain.has(item)
  return (
    <svg
      ref={svg} class='plan-svg' role='listbox' tabindex={0} aria-label={label}
      aria-activedescendant={active && `${id}-${targetKey(active)}`}
      width={picture.width * zoom} height={picture.height * zoom} viewBox={`0 0 ${picture.width} ${picture.height}`}
      onKeyDown={onKeyDown} onClick={() => onActivate(undefined)}
    >
      <g aria-hidden='true'>
        {lanes.map(({ group, x, y, width, height }) => (
          <rect
            key={group.index} x={x + 0.5} y={y + 0.5} width={width - 1} height={height - 1}
            rx={picture.kind === 'rails' ? 0 : 8} class='plan-lane'
          />
        ))}
      </g>
      <PlanEdges edges={picture.edges} emphasis={emphasis} visible={visible} />
      {picture.summaries.filter(isDrawn).map((summary) => (
        <SummaryCard
          key={summary.group.index} summary={summary} rails={picture.kind === 'rails'}
          dimmed={emphasis.items !== undefined && summary.group.items.every((item) => isDimmed(emphasis, item))}
          inChain={chainGroups.has(summary.group)} onOpen={onOpen}
        />
      ))}
      {lanes.map((lane) => (
        <g key={lane.group.index} role='group' aria-label={lane.group.title}>
          <LaneHead lane={lane} rails={picture.kind === 'rails'} context={context} />
          {cards.get(lane.group)?.map((card) => (
            <PlanCard
              key={card.item.index} card={card} context={context} dimmed={isDimmed(emphasis, card.item)}
              inChain={inChain(card.item)}
            />
          ))}
          {gates.get(lane.group)?.map((mark) => <PlanGateMark key={mark.gate.index} mark={mark} context={context} />)}
        </g>
      ))}
      {conflicts.length > 0 && <ConflictLines picture={picture} conflicts={conflicts} visible={visible} />}
    </svg>
  )
}
