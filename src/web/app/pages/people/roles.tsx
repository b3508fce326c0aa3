/** Roles of one person in workspaces, and of the members of one workspace: each change is made at once. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Role } from '../../../../access/sign-in/oidc-identities.js'
import { useAction } from '../../api/action.js'
import type { Person, WorkspaceRow } from '../../api/answers.js'
import { call } from '../../api/call.js'
import { invalidate, useOperation } from '../../api/resource.js'
import { Button, IconButton } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { closeDialog } from '../../components/show-dialog.js'
import { Select, TextField } from '../../components/fields.js'
import { Badge, ErrorNote, Waiting } from '../../components/states.js'
import { CellLines } from '../../components/table.js'
import { useRolesSentence } from '../../lib/access-words.js'
import { ROLE_OPTIONS } from '../../lib/words.js'

/** Without a role it takes the membership away. `user`: an id or an e-mail address. */
export const setMembership = async (user: string, workspace: string, role: Role | undefined): Promise<unknown> => {
  const params = { id: user, workspace }
  return await (role === undefined
    ? call('DELETE /people/:id/memberships/:workspace', { params })
    : call('PUT /people/:id/memberships/:workspace', { params, body: { role } }))
}

interface Change { id: string, role: Role | undefined }

const useRoles = (set: (change: Change) => Promise<unknown>, done: (change: Change) => void) =>
  useAction(async (change: Change) => {
    await set(change)
    done(change)
    invalidate('/people', '/service-accounts', '/workspaces')
  })

interface RoleRowProps {
  role: Role
  /** `Role in Payments`, and `Remove from Payments`. */
  labels: readonly [role: string, remove: string]
  pending: boolean
  onChange: (role: Role | undefined) => void
  children: ComponentChildren
}

const RoleRow = ({ role, labels: [label, remove], pending, onChange, children }: RoleRowProps) => (
  <li>
    {children}
    <Select label={label} hideLabel value={role} disabled={pending} options={ROLE_OPTIONS} onInput={onChange} />
    <IconButton icon='close' label={remove} disabled={pending} onClick={() => onChange(undefined)} />
  </li>
)

type Member = Pick<Person, 'id' | 'name' | 'memberships'>

export const MembershipDialog = ({ person }: { person: Member }) => {
  const [memberships, setMemberships] = useState(person.memberships)
  const [added, setAdded] = useState('')
  const workspaces = useOperation('GET /workspaces', { query: { others: 'include' } }).value?.workspaces ?? []
  const free = workspaces.filter(({ id }) => memberships.every(({ workspace }) => workspace.id !== id))
  const { run, pending, error } = useRoles(({ id, role }) => setMembership(person.id, id, role), ({ id, role }) => {
    const workspace = [...memberships.map((membership) => membership.workspace), ...free].find((one) => one.id === id)
    setMemberships([
      ...memberships.filter((membership) => membership.workspace.id !== id),
      ...workspace && role ? [{ workspace, role }] : []
    ].sort((one, other) => one.workspace.name.localeCompare(other.workspace.name)))
    setAdded('')
  })
  return (
    <Dialog
      title={`Workspaces of ${person.name}`} description={useRolesSentence()}
      footer={<Button variant='primary' onClick={closeDialog}>Done</Button>}
    >
      {error !== undefined && <ErrorNote>{error}</ErrorNote>}
      {memberships.length === 0 && <p class='person-none'>No workspaces yet.</p>}
      {memberships.length > 0 && (
        <ul class='members'>
          {memberships.map(({ workspace: { id, name }, role }) => (
            <RoleRow
              key={id} role={role} labels={[`Role in ${name}`, `Remove from ${name}`]} pending={pending}
              onChange={(next) => run({ id, role: next })}
            >
              <span>{name}</span>
            </RoleRow>
          ))}
        </ul>
      )}
      {free.length > 0 && (
        <div class='membership-new'>
          <Select
            label='Add to workspace' value={added} onInput={setAdded}
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

export const MembersDialog = ({ workspace: { id: workspace, name } }: { workspace: WorkspaceRow }) => {
  const { value, reload, ...members } = useOperation('GET /workspaces/:id/members', { params: { id: workspace } })
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const { run, pending, error } = useRoles((change) => setMembership(change.id, workspace, change.role), () => {
    setEmail('')
    reload()
  })
  return (
    <Dialog
      wide title={`Members of ${name}`} description={useRolesSentence()}
      onSubmit={() => { if (email.trim() !== '') run({ id: email.trim(), role }) }}
      footer={<Button variant='primary' onClick={closeDialog}>Done</Button>}
    >
      <div class='member-new'>
        <TextField
          label='E-mail' type='email' value={email} onInput={setEmail} maxLength={320} placeholder='ada@example.com'
        />
        <Select label='Role' value={role} onInput={setRole} options={ROLE_OPTIONS} />
        <Button type='submit' pending={pending} disabled={email.trim() === ''}>Add</Button>
      </div>
      {error !== undefined && <ErrorNote>{error}</ErrorNote>}
      {value === undefined && <Waiting {...members} lines={4} />}
      {value?.members.length === 0 && <p class='person-none'>No one is a member yet.</p>}
      {value !== undefined && value.members.length > 0 && (
        <ul class='members'>
          {value.members.map(({ user, role: own }) => (
            <RoleRow
              key={user.id} role={own} labels={[`Role of ${user.name}`, `Remove ${user.name}`]} pending={pending}
              onChange={(next) => run({ id: user.id, role: next })}
            >
              <CellLines title={<>{user.name} {user.kind === 'service_account' && <Badge>Service account</Badge>}</>}>
                {user.email}
              </CellLines>
            </RoleRow>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
