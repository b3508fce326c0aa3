/** Workspaces and roles of one person or service account: each change is made at once. */
import { useState } from 'preact/hooks'
import type { Role } from '../../../../access/sign-in/oidc-identities.js'
import { useAction } from '../../api/action.js'
import { invalidate, useOperation } from '../../api/resource.js'
import { Button, IconButton } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { ErrorNote } from '../../components/states.js'
import { Select } from '../../components/fields.js'
import { useRolesSentence } from '../../lib/access-words.js'
import { ROLE_OPTIONS } from '../../lib/words.js'
import { setMembership } from '../../lib/set-membership.js'
import type { Person } from '../../api/answers.js'

export interface MembershipDialogProps {
  person: Pick<Person, 'id' | 'name' | 'memberships'>
  onClose: () => void
}

/** Draws the dialog. */
export const MembershipDialog = ({ person, onClose }: MembershipDialogProps) => {
  const [memberships, setMemberships] = useState(person.memberships)
  const [added, setAdded] = useState('')
  const workspaces = useOperation('GET /workspaces', { query: { others: 'include' } }).value?.workspaces ?? []
  const free = workspaces.filter(({ id }) => memberships.every(({ workspace }) => workspace.id !== id))
  const rolesSentence = useRolesSentence()
  const { run, pending, error } = useAction(async ({ id, role }: { id: string, role: Role | undefined }) => {
    await setMembership(person.id, id, role)
    const workspace = workspaces.find((candidate) => candidate.id === id)
    setMemberships((before) => {
      const others = before.filter((membership) => membership.workspace.id !== id)
      const own = before.find((membership) => membership.workspace.id === id)?.workspace ?? workspace
      if (role === undefined || own === undefined) return others
      const { slug, name } = own
      return [...others, { workspace: { id, slug, name }, role }]
        .sort((one, other) => one.workspace.name.localeCompare(other.workspace.name))
    })
    setAdded('')
    invalidate('/people', '/service-accounts', '/workspaces')
  })
  return (
    <Dialog
      title={`Workspaces of ${person.name}`} description={rolesSentence}
      onClose={onClose} footer={<Button variant='primary' onClick={onClose}>Done</Button>}
    >
      {error !== undefined && <ErrorNote>{error}</ErrorNote>}
      {memberships.length === 0 && <p class='person-none'>No workspaces yet.</p>}
      {memberships.length > 0 && (
        <ul class='memberships'>
          {memberships.map(({ workspace, role }) => (
            <li key={workspace.id}>
              <span>{workspace.name}</span>
              <Select
                label={`Role in ${workspace.name}`} hideLabel value={role} disabled={pending} options={ROLE_OPTIONS}
                onChange={(next) => run({ id: workspace.id, role: next })}
              />
              <IconButton
                icon='close' label={`Remove from ${workspace.name}`} disabled={pending}
                onClick={() => run({ id: workspace.id, role: undefined })}
              />
            </li>
          ))}
        </ul>
      )}
      {free.length > 0 && (
        <div class='membership-new'>
          <Select
            label='Add to workspace' value={added} onChange={setAdded}
            options={[
              { value: '', label: 'Choose a workspace' },
              ...free.map(({ id, name }) => ({ value: id, label: name }))
            ]}
          />
          <Button disabled={added === ''} pending={pending} onClick={() => run({ id: added, role: 'viewer' })}>
            Add
          </Button>
        </div>
      )}
    </Dialog>
  )
}
