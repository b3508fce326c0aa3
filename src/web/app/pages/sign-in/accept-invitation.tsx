/**
 * Shows who invites to what, and accepts it. Opening the link alone changes nothing, so that a preview of it does no
 * harm.
 */
import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../../api/action.js'
import { messageOf } from '../../api/problem.js'
import { callSignIn, type SignInAnswer } from '../../api/sign-in.js'
import { Badge, ErrorNote, SkeletonText } from '../../components/states.js'
import { Button } from '../../components/button.js'
import { TextField } from '../../components/fields.js'
import { Time } from '../../components/time.js'

export const AcceptInvitation = ({ token, onAccepted }: { token: string, onAccepted: () => void }) => {
  const [invitation, setInvitation] = useState<SignInAnswer<'POST /invitations/lookup'>>()
  const [failure, setFailure] = useState<string>()
  const [name, setName] = useState('')
  const [checked, setChecked] = useState(false)
  useEffect(() => {
    callSignIn('POST /invitations/lookup', { token })
      .then(setInvitation, (error: unknown) => setFailure(messageOf(error)))
  }, [token])
  const accept = useAction(async () => {
    await callSignIn('POST /sign-in/invitation', { token, name: name.trim() })
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
          <form
            class='form' noValidate
            onSubmit={(event) => {
              event.preventDefault()
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
          </form>
          )
        : failure === undefined && <SkeletonText lines={4} />}
    </div>
  )
}
