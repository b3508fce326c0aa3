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
  /** Lets a table or a list reach the edges. */
  flush?: boolean
}

/** Draws the surface. With `flush`, what is in it reaches its edges. */
export const Card = ({ title, description, actions, children, flush = false }: CardProps) => {
  const id = useId()
  return (
    <section class={classNames('card', flush && 'card-flush')} aria-labelledby={title === undefined ? undefined : id}>
      {(title !== undefined || actions !== undefined) && (
        <header class='card-header'>
          <div class='card-heading'>
            {title !== undefined && <h2 id={id} class='card-title'>{title}</h2>}
            {description !== undefined && <p class='card-description'>{description}</p>}
          </div>
          {actions !== undefined && <div class='card-actions'>{actions}</div>}
        </header>
      )}
      {children !== undefined && children !== false && <div class='card-body'>{children}</div>}
    </section>
  )
}
