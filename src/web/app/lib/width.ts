/** The width of an element, for charts that are drawn in its pixels. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** Returns the inner width in px; `initial` before the element is in the document. */
export const useWidth = (element: RefObject<HTMLElement | null>, initial: number): number => {
  const [width, setWidth] = useState(initial)
  useLayoutEffect(() => {
    const target = element.current
    if (target === null) return undefined
    setWidth(target.clientWidth)
    const observer = new ResizeObserver(() => setWidth(target.clientWidth))
    observer.observe(target)
    return () => observer.disconnect()
  }, [])
  return width
}
