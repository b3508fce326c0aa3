/** The question: who asks, what for, where the answer goes, and whether it may write; and the two buttons. */
import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../../api/action.js'
import type { ConsentDetails } from '../../api/answers.js'
import { call } from '../../api/call.js'
import { Button } from '../../components/button.js'
import { Checkbox, type Choice, RadioCards } from '../../components/choices.js'
import { ErrorNote } from '../../components/states.js'
import { HostileText } from '../../components/hostile-text.js'
import { useReach } from '../../credentials/reach.js'
import { Facts, Warnings } from './facts.js'

const choicesOf = (count: number): ReadonlyArray<Choice<'all' | 'some'>> => [
  {
    value: 'all', label: 'All that you see', description: 'Also those that you get to see later', note: String(count)
  },
  { value: 'some', label: 'Only some', description: 'Choose which', disabled: count === 0 }
]

const MAY_WRITE = 'It claims plan items, reports progress, notes, asks and proposes, where you are an editor and the ' +
  'workspace lets agents write. You can change this later.'

const SETTLED_MS = 500

/**
 * False until the window was visible and had the focus for half a second without a break. A page of another site can
 * bring this one under the pointer between the two presses of a double click; the second press then comes too early.
 */
const useSettled = (): boolean => {
  const [settled, setSettled] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const check = (): void => {
      clearTimeout(timer)
      const before = document.visibilityState === 'visible' && document.hasFocus()
      if (before) timer = setTimeout(() => setSettled(true), SETTLED_MS)
      else setSettled(false)
    }
    check()
    addEventListener('focus', check)
    addEventListener('blur', check)
    document.addEventListener('visibilitychange', check)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', check)
      removeEventListener('blur', check)
      document.removeEventListener('visibilitychange', check)
    }
  }, [])
  return settled
}

/** Draws the question and its two answers. A click counts only when the page has been visible for a moment. */
export const Consent = ({ ticket, request }: { ticket: string, request: ConsentDetails }) => {
  const { client, redirect, workspaces, asks_to_write: asksToWrite } = request
  const { reach, setReach, list, body: reached, fault } = useReach(workspaces)
  const [write, setWrite] = useState(false)
  const [checked, setChecked] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const isSettled = useSettled()
  const decision = useAction(async (decision: 'allow' | 'deny') => {
    const body = { ticket, decision, ...decision === 'allow' && { ...reached, ...write && { write } } }
    const { redirect_to: target } = await call('POST /oauth/consent', { body })
    setLeaving(true)
    location.assign(target)
  })
  // A press of a pointer that was meant for another window comes with `detail`, a key's press without.
  const decide = (what: 'allow' | 'deny') => (event: MouseEvent): void => {
    if (!isSettled && event.detail > 0) return
    setChecked(what === 'allow')
    if (what === 'deny' || fault === undefined) decision.run(what)
  }
  const waiting = { 'aria-disabled': !isSettled || undefined, pending: decision.pending }
  if (leaving) return <Leaving host={redirect.host} />
  return (
    <div class='consent'>
      <header>
        <h1><Subject client={client} /> wants to read your plans</h1>
        {client.vouched_by.kind !== 'preregistered' && <p>It calls itself “<HostileText text={client.name} />”.</p>}
      </header>
      <Facts request={request} />
      <Warnings client={client} redirect={redirect} />
      <RadioCards label='Workspaces' value={reach} onChange={setReach} choices={choicesOf(workspaces.length)} />
      {list}
      <Checkbox
        label='It may write too' checked={write} onChange={setWrite}
        hint={`${asksToWrite ? 'It asks for this. ' : ''}${MAY_WRITE}`}
      />
      {checked && fault !== undefined && <ErrorNote>{fault}</ErrorNote>}
      {decision.error !== undefined && <ErrorNote>{decision.error}</ErrorNote>}
      <div class='consent-actions'>
        <Button block {...waiting} onClick={decide('deny')}>Deny</Button>
        <Button block {...waiting} variant='primary' onClick={decide('allow')}>Allow</Button>
      </div>
    </div>
  )
}

/** Leads with what vouches for the client: its name is what it says of itself. */
const Subject = ({ client: { name, vouched_by: { kind, host } } }: Pick<ConsentDetails, 'client'>) => {
  if (kind === 'preregistered') return <HostileText text={name} />
  return kind === 'document' && host !== null ? <span class='consent-host'>{host}</span> : <>An unknown application</>
}

const Leaving = ({ host }: { host: string }) => (
  <div class='consent' role='status'>
    <header>
      <h1>Going back to the application…</h1>
      <p>The answer goes to <code>{host}</code>. You can close this window when nothing else happens.</p>
    </header>
  </div>
)
