/** A real handshake with a secret, and what came of it step by step. */
import { useAction } from '../api/action.js'
import { useState } from 'preact/hooks'
import { Button } from '../components/button.js'
import { ErrorNote } from '../components/error-note.js'
import { Icon } from '../components/icon.js'
import { testSecret, type TestResult } from './credential-kinds.js'
import './test-connection.css'

export interface TestConnectionProps {
  secret: string
  /** Called once the handshake worked. */
  onPassed?: () => void
}

/** Draws the button and the steps of the last test; `onPassed` runs when all of them passed. */
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

const TestSteps = ({ result: { ok, steps, tools } }: { result: TestResult }) => (
  <div class='test-result'>
    <p class='test-summary'>{ok ? `Connected: ${tools.length} tools answer.` : 'The connection failed.'}</p>
    <ul class='test-steps'>
      {steps.map((step) => (
        <li key={step.name} class={step.ok ? 'test-ok' : 'test-failed'}>
          <Icon name={step.ok ? 'check' : 'close'} />
          <span><b>{step.name}</b> <span class='test-detail'>{step.detail}</span></span>
        </li>
      ))}
    </ul>
    {tools.length > 0 && (
      <ul class='test-tools' aria-label='Tools'>{tools.map((tool) => <li key={tool}><code>{tool}</code></li>)}</ul>
    )}
  </div>
)
