/** The heading of a page: what it is, a sentence about it, and its main button. */
import type { ComponentChildren } from 'preact'
import './page-header.css'

export interface PageHeaderProps {
  title: ComponentChildren
  description?: ComponentChildren
  actions?: ComponentChildren
  /** What stands above the title, such as a link back. */
  above?: ComponentChildren
}

/** Draws the heading of level 1; each page has one. */
export const PageHeader = ({ title, description, actions, above }: PageHeaderProps) => (
  <header class='page-header'>
    <div class='page-heading'>
      {above !== undefined && <div class='page-above'>{above}</div>}
      <h1>{title}</h1>
      {description !== undefined && <p>{description}</p>}
    </div>
    {actions !== undefined && <div class='page-actions'>{actions}</div>}
  </header>
)
