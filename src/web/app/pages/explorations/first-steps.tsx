/** The steps from an empty server to the first call of an agent: on the first page, until that call has come. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useOperation } from '../../api/resource.js'
import type { Answer } from '../../api/call.js'
import { Button } from '../../components/button.js'
import { Card } from '../../components/layout.js'
import { Icon, Spinner } from '../../components/icon.js'
import { Note } from '../../components/states.js'
import { Time } from '../../components/time.js'
import { useSessionState } from '../../lib/session.js'
import './first-steps.css'

const POLL_MS = 4000

/** `onDone`: they are not shown again. `onHide`: there are none to show now. */
export const FirstSteps = ({ onDone, onHide }: { onDone: () => void, onHide: () => void }) => {
  const { value, error, reload } = useOperation('GET /first-steps')
  // Someone whose agent has called before needs no steps; one whose agent calls now sees that it did.
  const [isNew, setIsNew] = useState<boolean>()
  const hide = (): void => {
    onDone()
    onHide()
  }
  useEffect(() => {
    if (value === undefined) return
    if (value.call !== null) onDone()
    if (value.call !== null && isNew !== true) onHide()
    else setIsNew(true)
  }, [value])
  useEffect(() => {
    if (value === undefined || value.call !== null) return undefined
    const timer = setInterval(() => { if (document.visibilityState === 'visible') reload() }, POLL_MS)
    return () => clearInterval(timer)
  }, [value === undefined || value.call !== null, reload])
  useEffect(() => { if (value === undefined && error !== undefined) onHide() }, [error])
  if (value === undefined || isNew !== true) return null
  if (value.call !== null) return <Note tone='good' role='status'><FirstCall call={value.call} /></Note>
  return (
    <Card
      title='First steps' description='From here to an agent that answers with your planning.'
      actions={<Button variant='ghost' size='s' onClick={hide}>Hide</Button>}
    >
      <Steps value={value} />
    </Card>
  )
}

type FirstStepsAnswer = Answer<'GET /first-steps'>

const FirstCall = (
  { call: { at, tool, client = 'An agent', exploration } }: { call: NonNullable<FirstStepsAnswer['call']> }
) => (
  <>
    Your agent found {exploration === undefined ? 'this server' : <b>{exploration}</b>}: {client}{' '}
    called <code>{tool}</code> <Time value={at} />. All its calls are in the <a href='/audit'>audit log</a>.
  </>
)

const Steps = ({ value: { imported, joined, connected } }: { value: FirstStepsAnswer }) => {
  const admin = useSessionState()?.session.server_admin ?? false
  return (
    <ol class='first-steps'>
      <Step done={imported} label='Planning data is here'>
        {admin ? <a href='/admin/status'>Import a file</a> : 'An administrator imports it'}
      </Step>
      <Step done={joined} label='You are a member of its workspaces'>
        {admin ? <a href='/admin/workspaces'>Join workspaces</a> : 'An administrator adds you'}
      </Step>
      <Step done={connected} label='An agent may connect'><a href='/integrations/connect'>Connect an agent</a></Step>
      <li class='first-step'>
        {connected ? <Spinner /> : <span class='first-step-mark' />}
        <span role='status'>
          {connected
            ? 'Waiting for your agent’s first call: ask it “Which explorations are there?”'
            : 'Your agent’s first call shows here.'}
        </span>
      </li>
    </ol>
  )
}

const Step = ({ done, label, children }: { done: boolean, label: string, children: ComponentChildren }) => (
  <li class={done ? 'first-step first-step-done' : 'first-step'}>
    {done ? <Icon name='check' /> : <span class='first-step-mark' />}
    <span>{label}{done && <span class='visually-hidden'>: done</span>}</span>
    {!done && <span class='first-step-action'>{children}</span>}
  </li>
)
