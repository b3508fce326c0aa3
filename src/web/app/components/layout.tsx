/** What a page is laid out of: its heading, cards, and pairs of name and value. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { classNames } from './class-names.js'
import './layout.css'

interface PageHeaderProps {
  title: ComponentChildren
  description?: ComponentChildren
  actions?: ComponentChildren
  /** What stands above the title, such as a link back. */
  above?: ComponentChildren
}

export const PageHeader = ({ title, description, actions, above }: PageHeaderProps) => (
  <header class='page-header'>
    <div class='page-heading'>
      {above && <div class='page-above'>{above}</div>}
      <h1>{title}</h1>
      {description && <p>{description}</p>}
    </div>
    {actions && <div class='page-actions'>{actions}</div>}
  </header>
)

interface CardProps {
  /** What an address leads to. */
  id?: string
  title?: ComponentChildren
  description?: ComponentChildren
  /** Buttons or fields on the right of the heading. */
  actions?: ComponentChildren
  children?: ComponentChildren
  /** Lets a table or a list reach the edges. */
  flush?: boolean
}

export const Card = ({ id, title, description, actions, children, flush = false }: CardProps) => {
  const heading = useId()
  return (
    <section
      id={id} class={classNames('card', flush && 'card-flush')} aria-labelledby={title ? heading : undefined}
    >
      {(title || actions) && (
        <header class='card-header'>
          <div class='card-heading'>
            {title && <h2 id={heading} class='card-title'>{title}</h2>}
            {description && <p class='card-description'>{description}</p>}
          </div>
          {actions && <div class='card-actions'>{actions}</div>}
        </header>
      )}
      {children && <div class='card-body'>{children}</div>}
    </section>
  )
}

/** Values by their names; those without a value are left out. */
export const DescriptionList = ({ items }: { items: Readonly<Record<string, ComponentChildren>> }) => (
  <dl class='description-list'>
    {Object.entries(items).map(([name, value]) => value != null && value !== false && (
      <div key={name}><dt>{name}</dt><dd>{value}</dd></div>
    ))}
  </dl>
)
