/** What stands instead of content: nothing there yet, could not be loaded, is being loaded. */
import type { ComponentChildren } from 'preact'
import { Button } from './button.js'
import { Icon, type IconName } from './icon.js'
import './states.css'

export interface EmptyStateProps {
  icon?: IconName
  title: string
  children?: ComponentChildren
  action?: ComponentChildren
}

/** Says that there is nothing, and what to do about it. */
export const EmptyState = ({ icon, title, children, action }: EmptyStateProps) => (
  <div class='state'>
    {icon && <span class='state-icon'><Icon name={icon} size={20} /></span>}
    <p class='state-title'>{title}</p>
    {children !== undefined && <div class='state-text'>{children}</div>}
    {action}
  </div>
)

export interface ErrorStateProps {
  title?: string
  message: string
  /** Absent where the same request would fail again. */
  onRetry?: (() => void) | undefined
  pending?: boolean
  /** What else there is to do. */
  action?: ComponentChildren
}

/** Says in a sentence why content is missing, and tries again where that can help. */
export const ErrorState = ({ title, message, onRetry, pending, action }: ErrorStateProps) => (
  <div class='state' role='alert'>
    <span class={onRetry ? 'state-icon state-icon-bad' : 'state-icon'}>
      <Icon name={onRetry ? 'warning' : 'shield'} size={20} />
    </span>
    <p class='state-title'>{title ?? (onRetry ? 'This could not be loaded' : 'This cannot be shown')}</p>
    <div class='state-text'>{message}</div>
    {onRetry && <Button icon='refresh' pending={pending} onClick={onRetry}>Try again</Button>}
    {action}
  </div>
)

interface WaitingProps { error?: string, retry?: () => void, pending?: boolean, lines?: number }

/** Says that content is being loaded, or why it is missing. */
export const Waiting = ({ error, retry, pending, lines }: WaitingProps) => error === undefined
  ? <SkeletonText lines={lines} />
  : <ErrorState message={error} onRetry={retry} pending={pending} />

export interface SkeletonProps {
  /** CSS lengths of what will stand there. */
  width?: string
  height?: string
  /** For an avatar. */
  round?: boolean
}

/** A grey shape of the size of what will stand there, so that nothing moves when it comes. */
export const Skeleton = ({ width = '100%', height = '.75rem', round = false }: SkeletonProps) => (
  <span class={round ? 'skeleton skeleton-round' : 'skeleton'} style={{ width, height }} aria-hidden='true' />
)

/** Lines of a text that is being loaded. */
export const SkeletonText = ({ lines = 3 }: { lines?: number }) => (
  <div class='skeleton-text' role='status' aria-label='Loading'>
    {Array.from({ length: lines }, (_, line) => <Skeleton key={line} width={line === lines - 1 ? '60%' : '100%'} />)}
  </div>
)
