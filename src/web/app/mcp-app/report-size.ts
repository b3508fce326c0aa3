/**
 * Tells the host how high the content is, whenever that changes. The content's height never follows from the window's
 * (no vh), so the host's answer, another height of the window, changes nothing.
 */
import type { HostContext } from './host-context.js'

export const reportSize = (
  content: HTMLElement,
  contextOf: () => HostContext | undefined,
  report: (size: { width: number, height: number }) => void
): void => {
  let last = ''
  let frame = 0
  const measure = (): void => {
    frame = 0
    const context = contextOf()
    if (context === undefined || context.fixedHeight) return
    const { maxWidth } = context
    const { height } = content.getBoundingClientRect()
    const size = { width: Math.round(maxWidth < Infinity ? maxWidth : innerWidth), height: Math.ceil(height) }
    if (JSON.stringify(size) === last || size.height === 0) return
    last = JSON.stringify(size)
    report(size)
  }
  new ResizeObserver(() => { frame ||= requestAnimationFrame(measure) }).observe(content)
}
