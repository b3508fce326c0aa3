/**
 * A text that appears beside an element under the pointer or the focus. It only adds: the element has its name without
 * it.
 */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import './tooltip.css'

export interface TooltipProps { text: string, children: ComponentChildren }

/** Draws its children with the text beside them. */
export const Tooltip = ({ text, children }: TooltipProps) => {
  const id = useId()
  return (
    <span class='tooltip-anchor' aria-describedby={id}>
      {children}
      <span class='tooltip' role='tooltip' id={id}>{text}</span>
    </span>
  )
}
