/** The members of a workspace and their roles: each change is made at once. */
import { useState } from 'preact/hooks'
import type { Role } from '../../../../access/sign-in/oidc-identities.js'
import { useAction } from '../../api/action.js'
import { invalidate, useOperation } from '../../api/resource.js'
import { Badge, ErrorNote, Waiting } from '../../components/states.js'
import { Button, IconButton } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Select, TextField } from '../../components/fields.js'
import { CellLines } from '../../components/table.js'
import { useRolesSentence } from '../../lib/access-words.js'
import { ROLE_OPTIONS } from '../../lib/words.js'
import { setMembership } from '../../lib/set-membership.js'
import type { WorkspaceRow } from '../../api/answers.js'

/** Draws the dialog. */
export const MembersDialog = ({ workspace, onClose }: { workspace: WorkspaceRow, onClose: () => void }) => {
  const { value, error: loadError, reload, retry } = useOperation(
    'GET /workspaces/:id/members', { params: { id: workspace.id } }
  )
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const rolesSentence = useRolesSentence()
  const { run, pending, error } = useAction(async (change: { user: string, role: Role | undefined }) => {
    await setMembership(change.user, workspace.id, change.role)
    setEmail('')
    reload()
    invalidate('/people', '/service-accounts', '/workspaces')
  })
  return (
    <Dialog
      wide title={`Members of ${workspace.name}`} description={rolesSentence}
      onClose={onClose} onSubmit={() => { if (email.trim() !== '') run({ user: email.trim(), role }) }}
      footer={<Button variant='primary' onClick={onClose}>Done</Button>}
    >
      <div class='member-new'>
        <TextField
          label='E-mail' type='email' value={email} onInput={setEmail} maxLength={320} placeholder='ada@example.com'
        />
        <Select label='Role' value={role} onChange={setRole} options={ROLE_OPTIONS} />
        <Button type='submit' pending={pending} disabled={email.trim() === ''}>Add</Button>
      </div>
      {error !== undefined && <ErrorNote>{error}</ErrorNote>}
      {value === undefined && <Waiting error={loadError} retry={retry} lines={4} />}
      {value?.members.length === 0 && <p class='members-none'>No one is a member yet.</p>}
      {value !== undefined && value.members.length > 0 && (
        <ul class='members'>
          {value.members.map(({ user, role: own }) => (
            <li key={user.id}>
              <CellLines title={<>{user.name} {user.kind === 'service_account' && <Badge>Service account</Badge>}</>}>
                {user.email}
              </CellLines>
              <Select
                label={`Role of ${user.name}`} hideLabel value={own} disabled={pending} options={ROLE_OPTIONS}
                onChange={(next) => run({ user: user.id, role: next })}
              />
              <IconButton
                icon='close' label={`Remove ${user.name}`} disabled={pending}
                onClick={() => run({ user: user.id, role: undefined })}
              />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
