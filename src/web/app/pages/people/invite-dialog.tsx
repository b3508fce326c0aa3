/** Invites a person by a link that is shown once. */
import { useState } from 'preact/hooks'
import type { Role } from '../../../../access/sign-in/oidc-identities.js'
import { call, type Answer } from '../../api/call.js'
import { Button } from '../../components/button.js'
import { Checkbox } from '../../components/choices.js'
import { CodeField } from '../../components/copy.js'
import { Dialog, FormDialog } from '../../components/dialog.js'
import { Select, TextField, WorkspaceSelect } from '../../components/fields.js'
import { ROLE_OPTIONS } from '../../lib/words.js'

export const InviteDialog = ({ onClose }: { onClose: () => void }) => {
  const [email, setEmail] = useState('')
  const [workspace, setWorkspace] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [admin, setAdmin] = useState(false)
  const [made, setMade] = useState<Answer<'POST /invitations'>>()
  const invite = async (): Promise<void> => setMade(await call('POST /invitations', {
    body: {
      email: email.trim(),
      ...admin && { server_admin: true },
      memberships: workspace === '' ? [] : [{ workspace, role }]
    }
  }))
  if (made !== undefined) {
    return (
      <Dialog
        title='Send this link'
        persistent
        onClose={onClose}
        footer={<Button variant='primary' onClick={onClose}>I have sent it</Button>}
        description={`It lets ${made.email} in once, within seven days. It is shown only now: send it by a way ` +
          'that only they read.'}
      >
        <div data-secret><CodeField text={made.url} label='invitation link' wrap /></div>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title='Invite a person' description='You get a link to send to them; this server sends no mail.'
      confirm='Create invitation' disabled={email.trim() === ''} onClose={onClose}
      work={invite} changes={['/invitations']} onDone={() => {}}
    >
      <TextField
        label='E-mail' type='email' inputMode='email' value={email} onInput={setEmail} required maxLength={320}
        placeholder='ada@example.com'
      />
      <div class='form-columns'>
        <WorkspaceSelect which={{ others: 'include' }} none='None yet' value={workspace} onChange={setWorkspace} />
        <Select label='Role' value={role} onChange={setRole} disabled={workspace === ''} options={ROLE_OPTIONS} />
      </div>
      <Checkbox
        label='Server administrator' hint='Sees and changes everything on this server.'
        checked={admin} onChange={setAdmin}
      />
    </FormDialog>
  )
}
