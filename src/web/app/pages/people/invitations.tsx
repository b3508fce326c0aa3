/** Invitations: those that are open, were used or ran out, and the dialog that makes one. */
import { useState } from 'preact/hooks'
import type { Role } from '../../../../access/sign-in/oidc-identities.js'
import { call, type Answer } from '../../api/call.js'
import { useOperation } from '../../api/resource.js'
import { Button } from '../../components/button.js'
import { Checkbox } from '../../components/choices.js'
import { CodeField } from '../../components/code-field.js'
import { ConfirmDialog, Dialog, FormDialog } from '../../components/dialog.js'
import { closeDialog } from '../../components/show-dialog.js'
import { Select, TextField, WorkspaceSelect } from '../../components/fields.js'
import { Card } from '../../components/layout.js'
import { Badge, EmptyState, type BadgeTone } from '../../components/states.js'
import { actionsColumn, CellLines, Table, type Column } from '../../components/table.js'
import { Time } from '../../components/time.js'
import { ROLE_OPTIONS, sentenceCase } from '../../lib/words.js'

type Invitation = Answer<'GET /invitations'>['invitations'][number]

const TONES: Record<Invitation['state'], BadgeTone> = {
  open: 'info',
  accepted: 'good',
  expired: 'neutral',
  revoked: 'neutral'
}

const COLUMNS: ReadonlyArray<Column<Invitation>> = [
  {
    header: 'E-mail',
    cell: ({ email, invited_by: by }) => <CellLines title={email}>{by !== null && `invited by ${by.name}`}</CellLines>
  },
  { header: 'State', cell: ({ state }) => <Badge tone={TONES[state]}>{sentenceCase(state)}</Badge> },
  {
    header: 'Rights',
    hideBelow: 40,
    cell: ({ server_admin: admin, memberships }) =>
      [
        ...admin ? ['Server admin'] : [],
        ...memberships.map(({ workspace, role }) => `${workspace.name} (${role})`)
      ].join(', ') || 'none'
  },
  { header: 'Expires', cell: ({ expires_at: at }) => <Time value={at} />, hideBelow: 54 },
  actionsColumn(({ id, email, state }) => state === 'open' && (
    <Button
      size='s' variant='ghost'
      dialog={
        <ConfirmDialog
          title={`Revoke the invitation of ${email}?`} description='The link no longer works.'
          confirm='Revoke' done='Invitation revoked.' changes={['/invitations']}
          work={() => call('DELETE /invitations/:id', { params: { id } })}
        />
      }
    >Revoke
    </Button>
  ))
]

export const Invitations = () => {
  const list = useOperation('GET /invitations')
  return (
    <Card flush>
      <Table
        label='Invitations' {...list} columns={COLUMNS} rows={list.value?.invitations}
        isDimmed={({ state }) => state !== 'open'}
        empty={(
          <EmptyState
            icon='people' title='No invitations'
            action={<Button variant='primary' dialog={<InviteDialog />}>Invite</Button>}
          >
            An invitation is a link that lets one person in.
          </EmptyState>
        )}
      />
    </Card>
  )
}

export const InviteDialog = () => {
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
        footer={<Button variant='primary' onClick={closeDialog}>I have sent it</Button>}
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
      confirm='Create invitation' disabled={email.trim() === ''}
      work={invite} changes={['/invitations']} onDone={() => {}}
    >
      <TextField
        label='E-mail' type='email' inputMode='email' value={email} onInput={setEmail} required maxLength={320}
        placeholder='ada@example.com'
      />
      <div class='form-columns'>
        <WorkspaceSelect which={{ others: 'include' }} none='None yet' value={workspace} onInput={setWorkspace} />
        <Select label='Role' value={role} onInput={setRole} disabled={workspace === ''} options={ROLE_OPTIONS} />
      </div>
      <Checkbox
        label='Server administrator' hint='Sees and changes everything on this server.'
        checked={admin} onChange={setAdmin}
      />
    </FormDialog>
  )
}
