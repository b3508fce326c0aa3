/**
 * A plan with everything around its picture: controls, list, legend, details. Needs nothing but the record: no router,
 * no requests, no storage, so that it can stand in a page of the application and in a view of a chat alike.
 */
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import type { SavePicture } from './export-picture.js'
import { useModule } from '../lib/use-module.js'
import { ConflictGlyph, GateIcon, GlyphIcon, StatusGlyph } from './glyphs.js'
import type { PlanModel, PlanSubject } from './plan-model.js'
import { PlanPicture } from './plan-picture.js'
import type { PlanRecord } from './plan-record.js'
import { useOwnPlace, usePlanState, type PlanPlace } from './plan-state.js'
import { PlanToolbar } from './plan-toolbar.js'
import { planClauses } from './plan-words.js'
import { usePicture } from './use-picture.js'
import './plan.css'

export interface PlanViewProps {
  plan: PlanRecord
  title: string
  /** Element of the title; 'none' where the page around it says it already. */
  heading?: 'h1' | 'h2' | 'none'
  /** Where it is kept what is shown, such as the address; within the view when absent. */
  place?: PlanPlace
  /** Writes the picture into a file; without it nothing can be downloaded. */
  save?: SavePicture | undefined
  tools?: ComponentChildren
  /** What can be done with something, shown with its details. */
  actions?: (subject: PlanSubject) => ComponentChildren
}

export const PlanView = ({ plan, title, heading = 'h2', place, save, tools, actions }: PlanViewProps) => {
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const own = useOwnPlace()
  const hold = useRef<() => void>(() => undefined)
  const state = usePlanState(plan, place ?? own, () => hold.current())
  const list = useModule(() => import('./plan-list.js'))
  const details = useModule(() => import('./plan-details.js'))
  // Until the list is there, the picture stays.
  const mode = list ? state.mode : 'picture'
  const drawn = usePicture(id, { ...state, mode }, root, details !== undefined)
  hold.current = drawn.hold
  const { model, active, activate } = state
  const Heading = heading === 'none' ? undefined : heading
  return (
    <div class='plan' ref={root} data-plan={drawn.picture?.kind}>
      <div class='plan-header'>
        <div class='plan-heading'>
          {Heading && <Heading class='plan-title'>{title}</Heading>}
          <p class='plan-sentence'>
            {planClauses(model).map((clause, at, { length }) => (
              <span key={at}>{clause}{at < length - 1 && ' · '}</span>
            ))}
          </p>
        </div>
        {tools}
        <PlanToolbar
          state={state} zoom={drawn.zoom} onZoom={drawn.setZoom} onFit={drawn.fit}
          onExport={save ? (format) => drawn.save(save, format, title) : undefined}
        />
      </div>
      {list && mode === 'list'
        ? <list.PlanList id={id} state={state} level={heading === 'h1' || heading === 'none' ? 2 : 3} />
        : <PlanPicture id={id} label={`Plan of ${title}`} state={state} drawn={drawn} />}
      {/* A live region, so that it is read while keys move through the picture. */}
      <div class='plan-details-region' aria-live='polite'>
        {details && active && (
          <details.PlanDetails
            model={model} active={active} actions={actions} onActivate={activate} onClose={() => activate(undefined)}
          />
        )}
      </div>
      {mode === 'picture' && <PlanLegend model={model} />}
    </div>
  )
}

/** What the shapes mean: those that the plan has. */
const PlanLegend = ({ model: { counts, ready, gates, conflicts, items } }: { model: PlanModel }) => (
  <div class='plan-legend'>
    <ul>
      {ready.length > 0 && <li><GlyphIcon><StatusGlyph status='todo' ready /></GlyphIcon>ready to start</li>}
      {counts.todo > ready.length && <li><GlyphIcon><StatusGlyph status='todo' /></GlyphIcon>to do</li>}
      {counts.in_progress > 0 && <li><GlyphIcon><StatusGlyph status='in_progress' /></GlyphIcon>in progress</li>}
      {counts.done > 0 && <li><GlyphIcon><StatusGlyph status='done' /></GlyphIcon>done</li>}
      {counts.blocked > 0 && <li><GlyphIcon><StatusGlyph status='blocked' /></GlyphIcon>blocked</li>}
      {items.some(({ holder }) => holder !== undefined) && <li><span class='plan-legend-held' />held</li>}
      {items.some(({ proposal }) => proposal) && <li><span class='plan-legend-waits' />waits for a person</li>}
      {gates.length > 0 && <li><GateIcon status='open' />gate</li>}
      {conflicts.length > 0 && <li><GlyphIcon><ConflictGlyph severity='high' /></GlyphIcon>conflict</li>}
    </ul>
    <p class='plan-keys'>↑ ↓ through all, ← → along arrows, Enter opens or closes a group</p>
  </div>
)
