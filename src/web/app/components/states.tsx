/** States: in a pill, in a sentence, or instead of content that is empty, failed or being loaded. */
import type { ComponentChildren } from 'preact'
import { Button } from './button.js'
import { Icon, type IconName } from './icon.js'
import './states.css'

export type BadgeTone = 'neutral' | 'accent' | 'info' | 'good' | 'warn' | 'bad'

interface BadgeProps { children: ComponentChildren, tone?: BadgeTone, icon?: IconName, title?: string }

/** Draws the pill; the tone is a colour, so the text has to say the same. */
export const Badge = ({ children, tone = 'neutral', icon, title }: BadgeProps) => (
  <span class={`badge tone-${tone}`} title={title}>
    {icon && <Icon name={icon} size={12} />}
    {children}
  </span>
)

type Tone = 'info' | 'good' | 'warn' | 'bad'

const ICONS: Record<Tone, IconName> = { info: 'info', good: 'check', warn: 'warning', bad: 'warning' }

interface NoteProps { tone?: Tone, children: ComponentChildren, role?: 'status' | 'alert' }

export const Note = ({ tone = 'info', children, role }: NoteProps) => (
  <div class={`note tone-${tone}`} role={role}>
    <Icon name={ICONS[tone]} />
    <div>{children}</div>
  </div>
)

/** What went wrong, read aloud at once. */
export const ErrorNote = ({ children }: { children: ComponentChildren }) => (
  <Note tone='bad' role='alert'>{children}</Note>
)

interface EmptyStateProps {
  icon?: IconName
  title: string
  children?: ComponentChildren
  action?: ComponentChildren
}

export const EmptyState = ({ icon, title, children, action }: EmptyStateProps) => (
  <div class='state'>
    {icon && <span class='state-icon'><Icon name={icon} size={20} /></span>}
    <p class='state-title'>{title}</p>
    {children && <div class='state-text'>{children}</div>}
    {action}
  </div>
)

export interface ErrorStateProps {
  title?: string
  error: string
  /** Absent where the same request would fail again. */
  retry?: (() => void) | undefined
  pending?: boolean
  action?: ComponentChildren
}

export const ErrorState = ({ title, error, retry, pending, action }: ErrorStateProps) => (
  <div class='state' role='alert'>
    <span class={retry ? 'state-icon state-icon-bad' : 'state-icon'}>
      <Icon name={retry ? 'warning' : 'shield'} size={20} />
    </span>
    <p class='state-title'>{title ?? (retry ? 'This could not be loaded' : 'This cannot be shown')}</p>
    <div class='state-text'>{error}</div>
    {retry && <Button icon='refresh' pending={pending} onClick={retry}>Try again</Button>}
    {action}
  </div>
)

type WaitingProps = Partial<Pick<ErrorStateProps, 'error' | 'retry' | 'pending'>> & { lines?: number }

/** Says that content is being loaded, or why it is missing. */
export const Waiting = ({ error, lines, ...attempt }: WaitingProps) =>
  error === undefined ? <SkeletonText lines={lines} /> : <ErrorState error={error} {...attempt} />

/** A grey shape of the size of what will stand there, so that nothing moves when it comes. */
export const Skeleton = (
  { width = '100%', height = '.75rem', round = false }: { width?: string, height?: string, round?: boolean }
) => (
  <span class={round ? 'skeleton skeleton-round' : 'skeleton'} style={{ width, height }} aria-hidden='true' />
)

export const SkeletonText = ({ lines = 3 }: { lines?: number }) => (
  <div class='skeleton-text' role='status' aria-label='Loading'>
    {Array.from({ length: lines }, (_, line) => <Skeleton key={line} width={line === lines - 1 ? '60%' : '100%'} />)}
  </div>
)
