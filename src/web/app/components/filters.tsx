/** A row of search field and filters above a list. */
import type { ComponentChildren } from 'preact'
import './filters.css'

export const Filters = ({ children }: { children: ComponentChildren }) => <div class='filters'>{children}</div>
