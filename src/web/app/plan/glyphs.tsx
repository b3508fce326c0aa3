/** The shapes of states: each differs by form, not only by colour. Drawn around 0,0 in a square of 16. */
import type { ComponentChildren } from 'preact'
import type { PlanItem } from './plan-model.js'
import type { GateStatus, Severity } from './plan-record.js'

/** Empty circle: to do; with a play mark: ready to start; half: in progress; disc with tick: done; octagon: blocked. */
export const StatusGlyph = ({ status, ready = false }: Pick<PlanItem, 'status'> & { ready?: boolean }) => {
  if (status === 'done') {
    return (
      <>
        <circle r='6.5' class='plan-fill-good' />
        <path d='M-2.9.2-.9 2.2 3-1.9' class='plan-glyph-mark' />
      </>
    )
  }
  if (status === 'in_progress') {
    return (
      <>
        <circle r='5.75' class='plan-ring plan-stroke-info' />
        <path d='M0-5.75A5.75 5.75 0 0 1 0 5.75Z' class='plan-fill-info' />
      </>
    )
  }
  if (status === 'blocked') {
    return (
      <>
        <path d='M-2.8-6.7H2.8L6.7-2.8V2.8L2.8 6.7H-2.8L-6.7 2.8V-2.8Z' class='plan-fill-bad' />
        <path d='M-3 0H3' class='plan-glyph-mark' />
      </>
    )
  }
  if (ready) {
    return (
      <>
        <circle r='5.75' class='plan-ring plan-stroke-accent' />
        <path d='M-1.5-2.6 2.9 0-1.5 2.6Z' class='plan-fill-accent' />
      </>
    )
  }
  return <circle r='5.75' class='plan-ring plan-stroke-ink' />
}

/** A diamond: outline while open, with a tick when passed, with a cross when failed. */
export const GateGlyph = ({ status }: { status: GateStatus }) => (
  <>
    <path
      d='M0-10.5 10.5 0 0 10.5-10.5 0Z'
      class={status === 'open' ? 'plan-gate-open' : status === 'passed' ? 'plan-fill-good' : 'plan-fill-bad'}
    />
    {status === 'passed' && <path d='M-3.4.3-1.1 2.6 3.6-2.2' class='plan-glyph-mark' />}
    {status === 'failed' && <path d='M-2.8-2.8 2.8 2.8M2.8-2.8-2.8 2.8' class='plan-glyph-mark' />}
  </>
)

/** A triangle with an exclamation mark; outline if the severity is low. */
export const ConflictGlyph = ({ severity }: { severity: Severity }) => (
  <>
    <path d='M0-6.5 7 6H-7Z' class={severity === 'low' ? 'plan-conflict-low' : 'plan-conflict'} />
    <path d='M0-2.4V1.4M0 3.6V3.7' class={severity === 'low' ? 'plan-conflict-low-mark' : 'plan-glyph-mark'} />
  </>
)

/** A glyph as an image of its own beside words; screen readers skip it. */
export const GlyphIcon = ({ children, size = 16 }: { children: ComponentChildren, size?: number }) => (
  <svg class='plan-glyph' width={size} height={size} viewBox='-8 -8 16 16' aria-hidden='true'>{children}</svg>
)

/** A diamond is larger than the other glyphs; this makes it fit its icon. */
export const GateIcon = ({ status }: { status: GateStatus }) => (
  <svg class='plan-glyph' width='16' height='16' viewBox='-11.5 -11.5 23 23' aria-hidden='true'>
    <GateGlyph status={status} />
  </svg>
)
