/** Names and values, one a line. */
import type { ComponentChildren } from 'preact'
import './description-list.css'

export interface DescriptionListProps { items: ReadonlyArray<readonly [name: string, value: ComponentChildren]> }

/** Draws pairs of name and value in their order. */
export const DescriptionList = ({ items }: DescriptionListProps) => (
  <dl class='description-list'>
    {items.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
  </dl>
)
