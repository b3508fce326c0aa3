/** Cards of items, heads of groups and gates, which the keyboard reaches; and the summary of a closed group. */
import type { ComponentChildren } from 'preact'
import { classNames } from '../components/class-names.js'
import { fitText } from './layout/fit-text.js'
import { ConflictGlyph, GateGlyph, StatusGlyph } from './glyphs.js'
import { hasOpenConflict, type PlanGroup } from './plan-model.js'
import { targetKey, type Card, type GateMark, type Lane, type Summary, type Target } from './layout/picture.js'
import { gateName, groupName, itemName } from './plan-words.js'
import type { ItemStatus } from './plan-record.js'
import type { PlanMeasures } from './layout/text-measure.js'

export interface OptionContext {
  /** Begins the ids of options. */
  id: string
  active: Target | undefined
  size: number
  placeOf: (target: Target) => number
  onActivate: (target: Target) => void
  measures: PlanMeasures
}

interface OptionProps {
  context: OptionContext
  target: Target
  name: string
  class: string
  /** Its text. It lies beside the option, as the name says it whole and the picture may cut it. */
  text?: ComponentChildren
  children: ComponentChildren
}

const Option = ({ context, target, name, class: own, text, children }: OptionProps) => {
  const selected = context.active !== undefined && targetKey(context.active) === targetKey(target)
  return (
    <g
      class={classNames('plan-option', own, selected && 'plan-active')}
      onClick={(event) => {
        event.stopPropagation()
        context.onActivate(target)
      }}
    >
      <g
        id={`${context.id}-${targetKey(target)}`} role='option' aria-selected={selected} aria-label={name}
        aria-setsize={context.size} aria-posinset={context.placeOf(target) + 1}
      >
        {children}
      </g>
      <g aria-hidden='true'>{text}</g>
    </g>
  )
}

const LINE_HEIGHT = 16

export interface PlanCardProps {
  card: Card
  context: OptionContext
  dimmed: boolean
  inChain: boolean
}

export const PlanCard = ({ card: { item, x, y, width, height }, context, dimmed, inChain }: PlanCardProps) => {
  const conflict = hasOpenConflict(item)
  const severe = item.conflicts.some(({ status, severity }) => status === 'open' && severity !== 'low')
  const lines = fitText(item.title, width - 32 - (conflict ? 28 : 8), 2, context.measures.card)
  const middle = y + height / 2
  const first = middle - (lines.length - 1) * LINE_HEIGHT / 2
  return (
    <Option
      context={context} target={{ type: 'item', index: item.index }} name={itemName(item)}
      class={classNames('plan-card', `plan-card-${item.status}`, dimmed && 'plan-dim', inChain && 'plan-card-chain',
        item.proposal !== undefined ? 'plan-card-waits' : item.holder !== undefined && 'plan-card-held')}
      text={(
        <text class='plan-card-text' dominant-baseline='central'>
          {lines.map((line, at) => <tspan key={at} x={x + 32} y={first + at * LINE_HEIGHT}>{line}</tspan>)}
        </text>
      )}
    >
      {lines.at(-1)?.endsWith('…') && <title>{item.title}</title>}
      <rect x={x} y={y} width={width} height={height} rx='6' class='plan-card-box' />
      <g transform={`translate(${x + 17} ${first})`}><StatusGlyph status={item.status} ready={item.ready} /></g>
      {conflict && (
        <g transform={`translate(${x + width - 14} ${y + 13})`}><ConflictGlyph severity={severe ? 'high' : 'low'} /></g>
      )}
    </Option>
  )
}

/** In a lane that is wider than its head, the bar is as wide as the cards below it. */
export const LaneHead = ({ lane, rails, context }: { lane: Lane, rails: boolean, context: OptionContext }) => {
  const { group, open, head } = lane
  const { counts, items, title } = group
  const count = `${counts.done}/${items.length}`
  const countWidth = context.measures.card(count)
  const lines = fitText(title, head.width - 18, rails ? 1 : 2, context.measures.head)
  const first = rails ? head.y + 16 : head.y + 24 - (lines.length - 1) * LINE_HEIGHT / 2
  const bar = head.y + head.height - 9
  const barWidth = (rails ? head.width : lane.width - 2 * (head.x - lane.x)) - countWidth - 8
  const done = items.length === 0 ? 0 : barWidth * counts.done / items.length
  return (
    <Option
      context={context} target={{ type: 'group', index: group.index }} name={groupName(group, open)} class='plan-head'
      text={(
        <>
          <text class='plan-head-text' dominant-baseline='central'>
            {lines.map((line, at) => <tspan key={at} x={head.x + 16} y={first + at * LINE_HEIGHT}>{line}</tspan>)}
          </text>
          <text class='plan-count' x={head.x + barWidth + 8} y={bar + 2} dominant-baseline='central'>{count}</text>
          <rect x={head.x} y={bar} width={barWidth} height='3' rx='1.5' class='plan-bar' />
          {done > 0 && <rect x={head.x} y={bar} width={done} height='3' rx='1.5' class='plan-fill-good' />}
        </>
      )}
    >
      <title>{groupName(group, open)}</title>
      <rect
        x={head.x - 4} y={head.y + 3} width={head.width + 8} height={head.height - 4} rx='5' class='plan-head-box'
      />
      <path
        d={open ? 'm-4-2 4 4 4-4' : 'm-2-4 4 4-4 4'} class='plan-chevron'
        transform={`translate(${head.x + 5} ${first})`}
      />
    </Option>
  )
}

const STATUSES: readonly ItemStatus[] = ['in_progress', 'blocked', 'todo', 'done']
const WORDS: Record<ItemStatus, string> = { todo: 'to do', in_progress: 'active', done: 'done', blocked: 'blocked' }

export interface SummaryCardProps {
  summary: Summary
  rails: boolean
  dimmed: boolean
  inChain: boolean
  onOpen: (group: PlanGroup) => void
}

/** A stack of cards with counts, instead of the items of a closed group; a click opens it. The head says the same. */
export const SummaryCard = (
  { summary: { group, x, y, width, height }, rails, dimmed, inChain, onOpen }: SummaryCardProps
) => {
  const usedStatuses = STATUSES.filter((status) => group.counts[status] > 0)
  const top = rails ? y + height / 2 : y + height / 2 - (usedStatuses.length - 1) * 10
  const empty = group.items.length === 0
  return (
    <g
      aria-hidden='true' class={classNames('plan-summary', dimmed && 'plan-dim', inChain && 'plan-card-chain')}
      onClick={(event) => {
        event.stopPropagation()
        onOpen(group)
      }}
    >
      {!empty && (
        <rect x={x + 4} y={y + 4} width={width} height={height} rx='6' class='plan-card-box plan-card-under' />
      )}
      <rect x={x} y={y} width={width} height={height} rx='6' class='plan-card-box' />
      {empty && <text class='plan-count' x={x + 12} y={y + height / 2} dominant-baseline='central'>No items</text>}
      {usedStatuses.map((status, at) => (
        <g
          key={status}
          transform={rails ? `translate(${x + 17 + at * 46} ${top})` : `translate(${x + 17} ${top + at * 20})`}
        >
          <StatusGlyph status={status} />
          <text class='plan-summary-text' x='14' dominant-baseline='central'>
            {rails ? group.counts[status] : `${group.counts[status]} ${WORDS[status]}`}
          </text>
        </g>
      ))}
      {group.items.some(hasOpenConflict) && (
        <g transform={`translate(${x + width - 14} ${y + 13})`}><ConflictGlyph severity='high' /></g>
      )}
    </g>
  )
}

export const PlanGateMark = ({ mark, context }: { mark: GateMark, context: OptionContext }) => {
  const { gate, x, y, width, height, labelled, lineTo } = mark
  const centre = labelled ? x + 12 : x + width / 2
  const [line = ''] = labelled ? fitText(gate.title, width - 100, 1, context.measures.card) : []
  return (
    <Option
      context={context} target={{ type: 'gate', index: gate.index }} name={gateName(gate)} class='plan-gate'
      text={labelled && (
        <text class='plan-card-text' x={x + 32} y={y + height / 2} dominant-baseline='central'>
          {line}<tspan class='plan-count' dx='6'>{gate.status}</tspan>
        </text>
      )}
    >
      {!labelled && <title>{gateName(gate)}</title>}
      {lineTo !== undefined && <path d={`M${centre} ${y + height + 4}V${lineTo}`} class='plan-gate-line' />}
      <rect x={labelled ? x - 4 : x} y={y - 2} width={width} height={height + 4} rx='5' class='plan-head-box' />
      <g transform={`translate(${centre} ${y + height / 2})`}><GateGlyph status={gate.status} /></g>
    </Option>
  )
}
