/** The view as a whole: the plan's picture, or what is known instead of it. */
import type { ComponentChildren } from 'preact'
import { plainLines, plainText } from '../plan/plain-text.js'
import { PlanView } from '../plan/plan-view.js'
import type { ChatActions, ChatState } from './chat-view.js'
import { ItemActions } from './item-actions.js'
import { ProgressCard } from './progress-card.js'

/** What scrolls has to be reached by the keyboard. */
const REGION = { role: 'region', tabindex: 0, 'aria-label': 'Progress of the plan' } as const

export const ChatApp = ({ state, actions }: { state: ChatState, actions: ChatActions }) => {
  const { plan, progress, problem, loading, edition } = state
  const title = plainText(state.title) || 'Plan'
  const tools = <ViewTools state={state} actions={actions} />
  const warning = state.warning || progress?.warning || ''
  const notes = (
    <>
      {warning !== '' && <p class='app-message app-warning'>{plainText(warning)}</p>}
      {problem !== '' && <Problem state={state} onRetry={actions.load} />}
    </>
  )
  if (plan !== undefined) {
    return (
      <div class='app' data-rendered='plan'>
        {notes}
        <PlanView
          key={edition} plan={plan} title={title} heading='h1' tools={tools}
          actions={({ item }) =>
            item && <ItemActions key={item.index} item={item} state={state} actions={actions} />}
        />
      </div>
    )
  }
  return (
    <div class='app' data-rendered={progress ? 'progress' : 'message'}>
      <div class='plan app-card'>
        <div class='plan-header'>
          <h1 class='plan-title plan-heading'>{title}</h1>
          {tools}
        </div>
        <div class='app-scroller' {...REGION}>
          {notes}
          {progress && <ProgressCard progress={progress} />}
          <p class='app-message app-note' role='status'>{problem === '' && loadingSentence(loading)}</p>
        </div>
      </div>
    </div>
  )
}

const loadingSentence = (loading: ChatState['loading']): string => loading?.total === undefined
  ? 'Loading the plan …'
  : `Loading the plan: ${loading.loaded.toLocaleString('en')} of ${loading.total.toLocaleString('en')} items …`

interface ProblemProps { state: ChatState, onRetry: () => void }

const Problem = ({ state: { problem, explorationId, abilities }, onRetry }: ProblemProps) => (
  <div class='app-message app-problem' role='alert'>
    <p>{plainLines(problem)}</p>
    {explorationId !== '' && abilities.tools && (
      <button type='button' class='plan-tool' onClick={onRetry}>Try again</button>
    )}
  </div>
)

const ViewTools = (
  { state: { context, plan, loading }, actions }: { state: ChatState, actions: ChatActions }
): ComponentChildren => {
  const other = context.displayMode === 'fullscreen' ? 'inline' : 'fullscreen'
  return (
    <div class='app-tools'>
      {plan !== undefined && (
        <IconButton label='Refresh' path={REFRESH} disabled={loading !== undefined} onClick={actions.load} />
      )}
      {context.displayModes.includes(other) && (
        <IconButton
          label={other === 'fullscreen' ? 'Full screen' : 'Back to the chat'}
          path={other === 'fullscreen' ? GROW : SHRINK} onClick={() => actions.setDisplayMode(other)}
        />
      )}
    </div>
  )
}

// Drawn in a square of 16.
const REFRESH = 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3'
const GROW = 'M9.5 2.5h4v4m0-4-4.5 4.5m-2.5 6.5h-4v-4m0 4 4.5-4.5'
const SHRINK = 'M13 7H9V3m0 4 4.5-4.5M3 9h4v4m0-4-4.5 4.5'

interface ChatButtonProps { label: string, path: string, disabled?: boolean, onClick: () => void }

const IconButton = ({ label, path, disabled = false, onClick }: ChatButtonProps) => (
  <button
    type='button' class='plan-tool app-tool' aria-label={label} title={label} disabled={disabled} onClick={onClick}
  >
    <svg width='16' height='16' viewBox='0 0 16 16' aria-hidden='true'><path d={path} class='plan-chevron' /></svg>
  </button>
)
