/** Where the view of the plan in a chat begins. */
import './styles.css'
import { render } from 'preact'
import { ChatApp } from './chat-app.js'
import { startChatView, type ChatState } from './chat-view.js'
import { applyHostStyle } from './host-style.js'
import { reportSize } from './report-size.js'

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
