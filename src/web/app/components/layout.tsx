/** What a page is laid out of: its heading, cards, pairs of name and value, tabs, and the end of a list. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { PagedList } from '../api/pages.js'
import { countOf, formatNumber } from '../lib/format.js'
import { Button } from './button.js'
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
      {above && <div class='quiet'>{above}</div>}
      <h1>{title}</h1>
      {description && <p class='quiet'>{description}</p>}
    </div>
    {actions && <div class='page-actions'>{actions}</div>}
  </header>
)

interface CardProps {
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
            {description && <p class='quiet'>{description}</p>}
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

/** A row of choices of which one is shown: filters of a list, or views of the same thing. */
interface Tab<Value extends string> { value: Value, label: string, count?: number | undefined }

interface TabsProps<Value extends string> {
  label: string
  tabs: ReadonlyArray<Tab<Value>>
  value: Value
  onChange: (value: Value) => void
}

export const Tabs = <Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) => (
  <div class='tabs' role='group' aria-label={label}>
    {tabs.map((tab) => (
      <button
        key={tab.value} type='button' class='tab' aria-pressed={tab.value === value} onClick={() => onChange(tab.value)}
      >
        {tab.label}
        {tab.count !== undefined && <span class='tab-count'>{tab.count}</span>}
      </button>
    ))}
  </div>
)

export interface PaginationProps extends
  Partial<Pick<PagedList<unknown, unknown>, 'rows' | 'onMore' | 'morePending' | 'moreError'>> {
  /** What they are: `exploration`. */
  noun: string
  plural?: string
  /** How many there are in all, where that is known. */
  total?: number | undefined
}

export const Pagination = (
  { rows = [], onMore, morePending, moreError, noun, plural = `${noun}s`, total }: PaginationProps
) => rows.length > 0 && (
  <div class='pagination'>
    <span role='status'>
      {moreError ?? (onMore && total !== undefined && total > rows.length
        ? `${formatNumber(rows.length)} of ${countOf(total, noun, plural)}`
        : `${countOf(rows.length, noun, plural)}${onMore ? ' so far' : ''}`)}
    </span>
    {onMore && <Button size='s' pending={morePending} onClick={onMore}>Show more</Button>}
  </div>
)
