/** The plan as nested lists: the same facts as the picture, for screen readers and for those who like to read. */
import { ConflictGlyph, GateIcon, GlyphIcon, StatusGlyph } from './glyphs.js'
import type { PlanItem, PlanModel } from './plan-model.js'
import { plainText } from './plain-text.js'
import { GATE_LABELS, statusLabel } from './plan-words.js'

const MAX_NAMED = 8

const titlesOf = (items: readonly PlanItem[]): string =>
  items.slice(0, MAX_NAMED).map(({ title }) => title).join(' · ') +
  (items.length > MAX_NAMED ? ` and ${items.length - MAX_NAMED} more` : '')

export interface PlanListProps {
  model: PlanModel
  /** Level of the headings of groups. */
  level?: 2 | 3
}

/** Draws the lists; `level` is that of the headings of groups. */
export const PlanList = ({ model, level = 2 }: PlanListProps) => {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <div class='plan-list'>
      {model.groups.map((group) => (
        <section key={group.index} class='plan-list-group' aria-labelledby={`plan-list-${group.index}`}>
          <Heading id={`plan-list-${group.index}`} class='plan-list-title'>
            {group.title} <span class='plan-list-count'>{group.counts.done} of {group.items.length} done</span>
          </Heading>
          {group.items.length === 0 && <p class='plan-list-note'>No items</p>}
          {group.items.length > 0 && (
            <ol class='plan-list-items'>{group.items.map((item) => <ListItem key={item.index} item={item} />)}</ol>
          )}
          {group.gates.map((gate) => (
            <div key={gate.index} class='plan-list-item'>
              <GateIcon status={gate.status} />
              <div>
                <p>Gate: {gate.title} <span class='plan-list-status'>({GATE_LABELS[gate.status]})</span></p>
                {gate.criteria.slice(0, MAX_NAMED).map((criterion, at) => (
                  <p key={at} class='plan-list-note'>{plainText(criterion)}</p>
                ))}
              </div>
            </div>
          ))}
        </section>
      ))}
    </div>
  )
}

const ListItem = ({ item }: { item: PlanItem }) => {
  const before = item.before.filter(({ kind }) => kind === 'blocks').map(({ from }) => from)
  return (
    <li class='plan-list-item'>
      <GlyphIcon><StatusGlyph status={item.status} ready={item.ready} /></GlyphIcon>
      <div>
        <p>{item.title} <span class='plan-list-status'>({statusLabel(item)})</span></p>
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
