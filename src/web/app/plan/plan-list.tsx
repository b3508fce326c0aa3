/** The plan as nested lists: the facts of the picture, for screen readers and readers; loaded beside the page. */
import { classNames } from '../components/class-names.js'
import { ConflictGlyph, GateIcon, GlyphIcon, StatusGlyph } from './glyphs.js'
import { targetKey } from './layout/picture.js'
import type { PlanGroup, PlanItem } from './plan-model.js'
import type { PlanState } from './plan-state.js'
import { plainText } from './plain-text.js'
import { statusLabel } from './plan-words.js'
import './plan-list.css'

const MAX_NAMED = 8

const titlesOf = (items: readonly PlanItem[]): string =>
  items.slice(0, MAX_NAMED).map(({ title }) => title).join(' · ') +
  (items.length > MAX_NAMED ? ` and ${items.length - MAX_NAMED} more` : '')

export interface PlanListProps {
  id: string
  state: PlanState
  level: 2 | 3
}

export const PlanList = ({ id, state, level }: PlanListProps) => {
  const { model, chosen } = state
  const some = chosen && new Set(chosen)
  const groups = some ? model.groups.filter(({ items }) => items.some((item) => some.has(item))) : model.groups
  return (
    <div class='plan-scroller plan-list-scroller'>
      {groups.length === 0 && <p class='plan-empty'>{some ? 'No item fits.' : 'This plan has no groups yet.'}</p>}
      <div class='plan-list'>
        {groups.map((group) => (
          <ListGroup key={group.index} id={id} state={state} group={group} level={level} some={some} />
        ))}
      </div>
    </div>
  )
}

interface ListGroupProps extends PlanListProps { group: PlanGroup, some: ReadonlySet<PlanItem> | undefined }

const ListGroup = ({ id, state, level, group, some }: ListGroupProps) => {
  const Heading = level === 2 ? 'h2' : 'h3'
  const { title, counts, index } = group
  const open = some !== undefined || state.open.has(index)
  const items = some ? group.items.filter((item) => some.has(item)) : group.items
  return (
    <section class='plan-list-group' id={`${id}-group-${index}`} aria-labelledby={`${id}-list-${index}`}>
      <Heading id={`${id}-list-${index}`} class='plan-list-title'>
        <button type='button' aria-expanded={open} onClick={() => state.setOpen(index, !open)}>
          <svg width='12' height='12' viewBox='-6 -6 12 12' aria-hidden='true'>
            <path d={open ? 'm-4-2 4 4 4-4' : 'm-2-4 4 4-4 4'} class='plan-chevron' />
          </svg>
          <span>{title}</span>
          <span class='plan-list-count'>{counts.done} of {group.items.length} done</span>
        </button>
      </Heading>
      {open && group.items.length === 0 && <p class='plan-list-note'>No items</p>}
      {open && items.length > 0 && (
        <ol class='plan-list-items'>
          {items.map((item) => <ListItem key={item.index} id={id} state={state} item={item} />)}
        </ol>
      )}
      {open && some === undefined && group.gates.map((gate) => (
        <div key={gate.index} class='plan-list-item' id={`${id}-gate-${gate.index}`}>
          <GateIcon status={gate.status} />
          <div>
            <p>Gate: {gate.title} <span class='plan-list-status'>({gate.status})</span></p>
            {gate.criteria.slice(0, MAX_NAMED).map((criterion, at) => (
              <p key={at} class='plan-list-note'>{plainText(criterion)}</p>
            ))}
          </div>
        </div>
      ))}
    </section>
  )
}

interface ListItemProps { id: string, state: PlanState, item: PlanItem }

const ListItem = ({ id, state: { active, activate }, item }: ListItemProps) => {
  const before = item.before.filter(({ kind }) => kind === 'blocks').map(({ from }) => from)
  const target = { type: 'item', index: item.index } as const
  const isActive = active !== undefined && targetKey(active) === targetKey(target)
  return (
    <li id={`${id}-${targetKey(target)}`} class={classNames('plan-list-item', isActive && 'plan-list-active')}>
      <GlyphIcon><StatusGlyph status={item.status} ready={item.ready} /></GlyphIcon>
      <div>
        <p>
          <button type='button' class='plan-list-open' aria-pressed={isActive} onClick={() => activate(target)}>
            {item.title}
          </button>{' '}
          <span class='plan-list-status'>({statusLabel(item)})</span>
        </p>
        {before.length > 0 && <p class='plan-list-note'>After {titlesOf(before)}</p>}
        {item.conflicts.map((conflict) => (
          <p key={conflict.index} class='plan-list-conflict'>
            <GlyphIcon size={14}><ConflictGlyph severity={conflict.severity} /></GlyphIcon>
            <span>Conflict ({conflict.severity}, {conflict.status}): {plainText(conflict.description)}</span>
          </p>
        ))}
      </div>
    </li>
  )
}
