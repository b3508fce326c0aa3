/** What is known of the active item, group or gate, in words. Loaded beside the page. */
import type { ComponentChildren } from 'preact'
import { countOf } from '../lib/format.js'
import { ConflictGlyph, GateIcon, GlyphIcon, StatusGlyph } from './glyphs.js'
import type { Target } from './layout/picture.js'
import type { PlanGate, PlanGroup, PlanItem, PlanModel, PlanSubject } from './plan-model.js'
import { plainLines, plainText } from './plain-text.js'
import { STATUS_LABELS, statusLabel } from './plan-words.js'

interface PlanDetailsProps {
  model: PlanModel
  active: Target
  actions?: ((subject: PlanSubject) => ComponentChildren) | undefined
  onActivate: (target: Target) => void
  onClose: () => void
}

export const PlanDetails = ({ model, active, actions, onActivate, onClose }: PlanDetailsProps) => {
  const item = active.type === 'item' ? model.items[active.index] : undefined
  const group = active.type === 'group' ? model.groups[active.index] : undefined
  const gate = active.type === 'gate' ? model.gates[active.index] : undefined
  return (
    <section class='plan-details' aria-label='Details'>
      <button type='button' class='plan-details-close' aria-label='Close details' onClick={onClose}>
        <svg width='16' height='16' viewBox='-8 -8 16 16' aria-hidden='true'>
          <path d='m-3.5-3.5 7 7m0-7-7 7' class='plan-chevron' />
        </svg>
      </button>
      {item && <ItemDetails item={item} actions={actions} onActivate={onActivate} />}
      {group && <GroupDetails group={group} />}
      {gate && <GateDetails gate={gate} />}
      {actions?.({ item, group, gate })}
    </section>
  )
}

const Heading = (
  { icon, title, children }: { icon?: ComponentChildren, title: string, children: ComponentChildren }
) => (
  <div class='plan-details-heading'>
    {icon}
    <div>
      <p class='plan-details-title'>{title}</p>
      <p class='plan-details-meta'>{children}</p>
    </div>
  </div>
)

// More buttons than this help no one; the list has them all.
const MAX_SHOWN = 12

type ItemDetailsProps = Pick<PlanDetailsProps, 'actions' | 'onActivate'> & { item: PlanItem }

const ItemDetails = ({ item, actions, onActivate }: ItemDetailsProps) => {
  const before = item.before.filter(({ kind }) => kind === 'blocks').map(({ from }) => from)
  const after = item.after.filter(({ kind }) => kind === 'blocks').map(({ to }) => to)
  const related = [...item.before.filter(({ kind }) => kind === 'relates').map(({ from }) => from),
    ...item.after.filter(({ kind }) => kind === 'relates').map(({ to }) => to)]
  return (
    <>
      <Heading icon={<GlyphIcon><StatusGlyph status={item.status} ready={item.ready} /></GlyphIcon>} title={item.title}>
        {statusLabel(item)} · {item.group.title}
      </Heading>
      {item.description !== '' && <p class='plan-details-text'>{plainLines(item.description)}</p>}
      {item.acceptance.length > 0 && (
        <ul class='plan-details-criteria' aria-label='Acceptance criteria'>
          {item.acceptance.map(({ text, met }, at) => <li key={at}>{plainText(text)}{met && ' (met)'}</li>)}
        </ul>
      )}
      {item.conflicts.map((conflict) => (
        <div key={conflict.index} class='plan-details-conflict'>
          <GlyphIcon><ConflictGlyph severity={conflict.severity} /></GlyphIcon>
          <div>
            <p><b>Conflict</b> · {conflict.severity}, {conflict.status}</p>
            <p class='plan-details-text'>{plainLines(conflict.description)}</p>
            {conflict.resolution !== '' && (
              <p class='plan-details-text'>Resolution: {plainLines(conflict.resolution)}</p>
            )}
            <Items items={conflict.items.filter((other) => other !== item)} label='With' onActivate={onActivate} />
            {actions?.({ conflict })}
          </div>
        </div>
      ))}
      <Items items={before} label='Waits for' onActivate={onActivate} />
      <Items items={after} label='Needed by' onActivate={onActivate} />
      <Items items={related} label='Related to' onActivate={onActivate} />
    </>
  )
}

interface ItemsProps { items: readonly PlanItem[], label: string, onActivate: (target: Target) => void }

const Items = ({ items, label, onActivate }: ItemsProps) => items.length === 0
  ? null
  : (
    <div class='plan-details-items'>
      <span class='plan-details-label'>{label}</span>
      <ul>
        {items.slice(0, MAX_SHOWN).map((item) => (
          <li key={item.index}>
            <button
              type='button' class='plan-details-item' onClick={() => onActivate({ type: 'item', index: item.index })}
            >
              <GlyphIcon size={14}><StatusGlyph status={item.status} ready={item.ready} /></GlyphIcon>
              <span>{item.title}</span>
            </button>
          </li>
        ))}
        {items.length > MAX_SHOWN && (
          <li class='plan-details-meta'>and {countOf(items.length - MAX_SHOWN, 'more item')}</li>
        )}
      </ul>
    </div>
    )

const GroupDetails = ({ group: { title, items, counts, gates } }: { group: PlanGroup }) => (
  <Heading title={title}>
    {countOf(items.length, 'item')}
    {items.length > 0 && `: ${Object.entries(counts).filter(([, count]) => count > 0)
      .map(([status, count]) => `${count} ${STATUS_LABELS[status as keyof typeof STATUS_LABELS]}`).join(', ')}`}
    {gates.length > 0 && ` · ${countOf(gates.length, 'gate')} after it`}
  </Heading>
)

const GateDetails = ({ gate }: { gate: PlanGate }) => (
  <>
    <Heading icon={<GateIcon status={gate.status} />} title={gate.title}>
      gate after {gate.group.title} · {gate.status}
    </Heading>
    {gate.criteria.length > 0 && (
      <ul class='plan-details-criteria'>
        {gate.criteria.slice(0, MAX_SHOWN).map((criterion, at) => <li key={at}>{plainText(criterion)}</li>)}
        {gate.criteria.length > MAX_SHOWN && (
          <li>and {countOf(gate.criteria.length - MAX_SHOWN, 'more criterion', 'more criteria')}</li>
        )}
      </ul>
    )}
  </>
)
