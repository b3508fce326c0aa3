/** A row of search field and filters above a list. */
import type { ComponentChildren } from 'preact'
import './filters.css'

/** Draws the row; it wraps on a narrow screen. */
export const Filters = ({ children }: { children: ComponentChildren }) => <div class='filters'>{children}</div>
