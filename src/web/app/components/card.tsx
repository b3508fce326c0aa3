/** A surface that things lie on, with a heading and room for a control at its right. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { classNames } from './class-names.js'
import './card.css'

export interface CardProps {
  title?: ComponentChildren
  description?: ComponentChildren
  /** Buttons or fields on the right of the heading. */
  actions?: ComponentChildren
  children?: ComponentChildren
  footer?: ComponentChildren
  /** Lets a table or a list reach the edges. */
  flush?: boolean
  /** The level of the heading. */
  level?: 2 | 3
}

/** Draws the surface. With `flush`, what is in it reaches its edges. */
export const Card = ({ title, description, actions, children, footer, flush = false, level = 2 }: CardProps) => {
  const id = useId()
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section class={classNames('card', flush && 'card-flush')} aria-labelledby={title === undefined ? undefined : id}>
      {(title !== undefined || actions !== undefined) && (
        <header class='card-header'>
          <div class='card-heading'>
            {title !== undefined && <Heading id={id} class='card-title'>{title}</Heading>}
            {description !== undefined && <p class='card-description'>{description}</p>}
          </div>
          {actions !== undefined && <div class='card-actions'>{actions}</div>}
        </header>
      )}
      {children !== undefined && <div class='card-body'>{children}</div>}
      {footer !== undefined && <footer class='card-footer'>{footer}</footer>}
    </section>
  )
}
