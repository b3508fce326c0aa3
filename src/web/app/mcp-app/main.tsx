/** Where the view of the plan in a chat begins. */
import './styles.css'
import { render } from 'preact'
import { ChatApp } from './chat-app.js'
import { startChatView, type ChatState } from './chat-view.js'
import type { HostContext } from './host-context.js'
import { applyHostStyle } from './host-style.js'

/**
 * Tells the host how high the content is, whenever that changes. The content's height never follows from the window's
 * (no vh), so the host's answer, another height of the window, changes nothing.
 */
const reportSize = (
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

const start = (container: HTMLElement): void => {
  let state: ChatState | undefined
  let isPlanned = false
  // Several changes at once are drawn once.
  const actions = startChatView(window, (next) => {
    state = next
    if (isPlanned) return
    isPlanned = true
    queueMicrotask(() => {
      isPlanned = false
      if (state === undefined) return
      applyHostStyle(state.context)
      render(<ChatApp state={state} actions={actions} />, container)
    })
  })
  reportSize(container, () => state?.context, (size) => actions.notify('ui/notifications/size-changed', size))
}

const root = document.getElementById('app')
if (root) {
  root.textContent = ''
  start(root)
}
