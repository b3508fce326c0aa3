/** The question: who asks, what for, where the answer goes, whether it may write; and the two buttons. */
import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../../api/action.js'
import type { ConsentDetails } from '../../api/answers.js'
import { call } from '../../api/call.js'
import { Button } from '../../components/button.js'
import { Checkbox, type Choice, RadioCards } from '../../components/choices.js'
import { ErrorNote, Note } from '../../components/states.js'
import { HostileText } from '../../components/hostile-text.js'
import { Card, DescriptionList } from '../../components/layout.js'
import { useReach } from '../../credentials/reach.js'
import { useScopeWords } from '../../lib/access-words.js'
import { leave } from '../../lib/session.js'
import { SCOPE_LABELS } from '../../lib/words.js'

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

const Facts = ({ request }: { request: ConsentDetails }) => {
  const { client, redirect, scopes, user, lifetime_days: days, restart_path: restart } = request
  const describe = useScopeWords('key')
  const list = <a href='/settings/connections' target='_blank' rel='noreferrer'>disconnect it</a>
  return (
    <Card>
      <DescriptionList
        items={{
          'Vouched for by': <Voucher client={client} />,
          'Answer goes to': <Target redirect={redirect} />,
          'You are': <Person user={user} restart={restart} />,
          'It may call': scopes.map((scope) => describe(scope) ?? SCOPE_LABELS[scope]).join('; '),
          For: <span>{lifetimeText(days)}, or until you {list}</span>
        }}
      />
    </Card>
  )
}

const lifetimeText = (days: number): string => days > 1 ? `${days} days after its last use` : 'A day at most'

const Target = ({ redirect: { host, loopback } }: Pick<ConsentDetails, 'redirect'>) => (
  <span><code>{host}</code>{loopback && ', a program on this computer'}</span>
)

const Voucher = ({ client: { uri, vouched_by: { kind, host } } }: Pick<ConsentDetails, 'client'>) => {
  if (kind === 'preregistered') return <>The administrator of this server</>
  if (kind === 'document' && host !== null) return <span><code>{host}</code>, whose page describes it</span>
  if (uri === undefined) return <>No one: it registered itself</>
  return <span>No one: it registered itself, and names <HostileText text={uri} /></span>
}

const Person = ({ user: { name, email }, restart }: { user: ConsentDetails['user'], restart: string }) => {
  const switchAccount = useAction(() => leave(restart))
  return (
    <span class='consent-person'>
      <span><b>{name}</b> <span class='quiet'>{email}</span></span>
      <Button size='s' variant='ghost' pending={switchAccount.pending} onClick={() => switchAccount.run()}>
        Use another account
      </Button>
    </span>
  )
}

type WarningsProps = Pick<ConsentDetails, 'client' | 'redirect'>

/** Draws a note where anybody could have made the request; nothing otherwise. */
const Warnings = ({ client: { vouched_by: { kind, host } }, redirect }: WarningsProps) => {
  if (redirect.loopback) {
    const other = kind === 'document' && host !== null ? host : 'another one'
    return (
      <Note tone='warn'>
        The answer goes to a program on this computer, and any program there can pose as {other}. Allow only what you
        have just started yourself, on this computer.
      </Note>
    )
  }
  if (kind === 'registered') {
    return (
      <Note tone='warn'>
        No one checked its name. Allow only if you know <b>{redirect.host}</b> and have just started this there.
      </Note>
    )
  }
  return null
}
