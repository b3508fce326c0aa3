/** What links of other people lead to: an invitation, and a sign-in link that is opened where another is signed in. */
import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../../api/action.js'
import { messageOf } from '../../api/problem.js'
import type { SignedIn } from '../../api/answers.js'
import { call, type Answer } from '../../api/call.js'
import { Badge, ErrorNote, SkeletonText } from '../../components/states.js'
import { Button } from '../../components/button.js'
import { Form, TextField } from '../../components/fields.js'
import { Time } from '../../components/time.js'

/** Opening the link alone changes nothing, so that a preview of it does no harm. */
export const AcceptInvitation = ({ token, onAccepted }: { token: string, onAccepted: () => void }) => {
  const [invitation, setInvitation] = useState<Answer<'POST /invitations/lookup'>>()
  const [failure, setFailure] = useState<string>()
  const [name, setName] = useState('')
  const [checked, setChecked] = useState(false)
  useEffect(() => {
    call('POST /invitations/lookup', { body: { token } })
      .then(setInvitation, (error: unknown) => setFailure(messageOf(error)))
  }, [token])
  const accept = useAction(async () => {
    await call('POST /sign-in/invitation', { body: { token, name: name.trim() } })
    onAccepted()
  })
  const error = accept.error ?? failure
  return (
    <div class='sign-in'>
      <header>
        <h1>You are invited</h1>
        {invitation && (
          <p>
            {invitation.invited_by === null ? 'An administrator' : <b>{invitation.invited_by}</b>} invites{' '}
            {invitation.email}.
          </p>
        )}
      </header>
      {error !== undefined && <ErrorNote>{error}</ErrorNote>}
      {invitation
        ? (
          <Form
            onSubmit={() => {
              setChecked(true)
              if (name.trim() !== '') accept.run()
            }}
          >
            {invitation.workspaces.length > 0 && (
              <ul class='sign-in-workspaces' aria-label='Workspaces'>
                {invitation.workspaces.map((workspace) => (
                  <li key={workspace.name}>{workspace.name} <Badge>{workspace.role}</Badge></li>
                ))}
              </ul>
            )}
            <TextField
              label='Name' value={name} onInput={setName} autocomplete='name' maxLength={200} required
              error={checked && name.trim() === ''
                ? 'Say how others see you, such as your first and last name.'
                : undefined}
            />
            <Button variant='primary' type='submit' block pending={accept.pending}>Accept the invitation</Button>
            <p class='field-hint'>It ends <Time value={invitation.expires_at} />.</p>
          </Form>
          )
        : failure === undefined && <SkeletonText lines={4} />}
    </div>
  )
}

type Person = Pick<SignedIn['user'], 'name' | 'email'>

export interface SwitchAccountProps {
  token: string
  current: Person
  other: Person
  onEntered: () => void
  onStay: () => void
}

/** The link works only after a click, so that it cannot move a person into an account that is not theirs. */
export const SwitchAccount = ({ token, current, other, onEntered, onStay }: SwitchAccountProps) => {
  const { run, pending, error } = useAction(async () => {
    await call('POST /sign-in/link', { body: { token } })
    onEntered()
  })
  return (
    <div class='sign-in'>
      <header>
        <h1>{`Sign in as ${other.name} instead?`}</h1>
        <p>You are signed in as <b>{current.name}</b> ({current.email}).</p>
      </header>
      <p>
        The link that you opened signs in <b>{other.name}</b> ({other.email}) and ends your session here. Stay if you
        did not ask for it: what you do afterwards, such as approving a device, is done as {other.name}.
      </p>
      {error !== undefined && <ErrorNote>{error}</ErrorNote>}
      <div class='sign-in-ways'>
        <Button variant='primary' block onClick={onStay}>{`Stay ${current.name}`}</Button>
        <Button block pending={pending} onClick={() => run()}>{`Sign in as ${other.name}`}</Button>
      </div>
    </div>
  )
}
