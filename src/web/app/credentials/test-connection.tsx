/** A real handshake with a secret, and what came of it step by step. */
import { useAction } from '../api/action.js'
import { useState } from 'preact/hooks'
import { Button } from '../components/button.js'
import { Icon } from '../components/icon.js'
import { ErrorNote, Note } from '../components/states.js'
import { countOf } from '../lib/format.js'
import { testSecret, type TestResult } from './credential-kinds.js'
import './test-connection.css'

export interface TestConnectionProps {
  secret: string
  onPassed?: () => void
}

export const TestConnection = ({ secret, onPassed }: TestConnectionProps) => {
  const [result, setResult] = useState<TestResult>()
  const test = useAction(async () => {
    setResult(undefined)
    const answer = await testSecret(secret.trim())
    setResult(answer)
    if (answer.ok) onPassed?.()
  })
  return (
    <div class='test-connection'>
      <div>
        <Button icon='plug' pending={test.pending} disabled={secret.trim() === ''} onClick={() => test.run()}>
          Test connection
        </Button>
      </div>
      {test.error !== undefined && <ErrorNote>{test.error}</ErrorNote>}
      <div role='status'>{result && <TestSteps result={result} />}</div>
    </div>
  )
}

const TestSteps = ({ result: { ok, steps, tools, reads } }: { result: TestResult }) => (
  <div class='test-result'>
    <p class='test-summary'>{ok ? `Connected: ${tools.length} tools answer.` : 'The connection failed.'}</p>
    {ok && reads && <Reads reads={reads} />}
    <ul class='test-steps'>
      {steps.map((step) => (
        <li key={step.name} class={step.ok ? 'test-ok' : 'test-failed'}>
          <Icon name={step.ok ? 'check' : 'close'} />
          <span><b>{step.name}</b> <span class='quiet'>{step.detail}</span></span>
        </li>
      ))}
    </ul>
    {tools.length > 0 && (
      <ul class='test-tools' aria-label='Tools'>{tools.map((tool) => <li key={tool}><code>{tool}</code></li>)}</ul>
    )}
  </div>
)

/** What an agent gets to read: with nothing, it connects and finds nothing. */
const Reads = ({ reads: { workspaces, explorations } }: { reads: NonNullable<TestResult['reads']> }) => {
  if (explorations > 0) {
    return (
      <Note tone='good'>
        Reads {countOf(workspaces, 'workspace')}, {countOf(explorations, 'exploration')}.
      </Note>
    )
  }
  return (
    <Note tone='warn'>
      {workspaces === 0
        ? 'It reads no workspace: its owner is a member of none, or of none that it is limited to. A server ' +
          'administrator joins some on the page Workspaces; others ask an admin of a workspace to add them.'
        : `It reads ${countOf(workspaces, 'workspace')} and no exploration: import some, or join a workspace that ` +
          'has some.'}
    </Note>
  )
}
