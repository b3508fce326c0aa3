/** A button, or a link that looks like one. */
import type { ButtonHTMLAttributes, ComponentChildren, VNode } from 'preact'
import { classNames } from './class-names.js'
import { Icon, type IconName, Spinner } from './icon.js'
import { showDialog } from './show-dialog.js'
import './button.css'

interface ButtonStyle {
  children: ComponentChildren
  /** One primary button a page. */
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger'
  size?: 'm' | 's'
  icon?: IconName
  block?: boolean
}

export type ButtonProps = ButtonStyle & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'size'> & {
  /** Shows that the action runs; a second press does nothing. The button keeps its width and the focus. */
  pending?: boolean
  /** What it opens, instead of `onClick`. */
  dialog?: VNode
}

const className = ({ variant = 'secondary', size = 'm', block }: Partial<ButtonStyle>, own?: string): string =>
  classNames('button', `button-${variant}`, size === 's' && 'button-s', block && 'button-block', own)

export const Button = ({
  children, variant, size, icon, block, pending = false, type = 'button', class: own, dialog, onClick, ...rest
}: ButtonProps) => (
  <button
    {...rest} type={type} class={className({ variant, size, block }, typeof own === 'string' ? own : undefined)}
    aria-busy={pending || undefined} aria-disabled={pending || rest['aria-disabled'] || undefined}
    onClick={(event) => {
      if (pending) event.preventDefault()
      else if (dialog) showDialog(dialog)
      else onClick?.call(event.currentTarget, event)
    }}
  >
    {icon && <Icon name={icon} />}
    <span class='button-label'>{children}</span>
    {pending && <span class='button-pending'><Spinner /></span>}
  </button>
)

export type LinkButtonProps = ButtonStyle & { href: string, target?: string, download?: string | boolean, rel?: string }

export const LinkButton = ({ children, variant, size, icon, block, ...rest }: LinkButtonProps) => (
  <a {...rest} class={className({ variant, size, block })}>
    {icon && <Icon name={icon} />}
    <span class='button-label'>{children}</span>
  </a>
)

type IconButtonProps = Pick<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'onClick'> & {
  icon: IconName,
  label: string
}

export const IconButton = ({ icon, label, ...rest }: IconButtonProps) => (
  <button type='button' title={label} aria-label={label} {...rest} class='icon-button'><Icon name={icon} /></button>
)
