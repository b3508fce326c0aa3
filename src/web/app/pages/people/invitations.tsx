/** Invitations that are open, and those that were used or ran out. */
import { useState } from 'preact/hooks'
import { call, type Answer } from '../../api/call.js'
import { useOperation } from '../../api/resource.js'
import { Badge, type BadgeTone, EmptyState } from '../../components/states.js'
import { Button } from '../../components/button.js'
import { Card } from '../../components/layout.js'
import { ConfirmDialog } from '../../components/dialog.js'
import { actionsColumn, CellLines, type Column, Table } from '../../components/table.js'
import { Time } from '../../components/time.js'
import { sentenceCase } from '../../lib/words.js'

type Invitation = Answer<'GET /invitations'>['invitations'][number]

const TONES: Record<Invitation['state'], BadgeTone> = {
  open: 'info',
  accepted: 'good',
  expired: 'neutral',
  revoked: 'neutral'
}

export const Invitations = ({ onInvite }: { onInvite: () => void }) => {
  const { value, error, retry } = useOperation('GET /invitations')
  const [revoked, setRevoked] = useState<Invitation>()
  const columns: ReadonlyArray<Column<Invitation>> = [
    {
      id: 'email',
      header: 'E-mail',
      cell: ({ email, invited_by: by }) => <CellLines title={email}>{by !== null && `invited by ${by.name}`}</CellLines>
    },
    { id: 'state', header: 'State', cell: ({ state }) => <Badge tone={TONES[state]}>{sentenceCase(state)}</Badge> },
    {
      id: 'rights',
      header: 'Rights',
      hideBelow: 40,
      cell: ({ server_admin: admin, memberships }) =>
        [
          ...admin ? ['Server admin'] : [],
          ...memberships.map(({ workspace, role }) => `${workspace.name} (${role})`)
        ].join(', ') || 'none'
    },
    { id: 'expires', header: 'Expires', cell: ({ expires_at: at }) => <Time value={at} />, hideBelow: 54 },
    actionsColumn((invitation) => invitation.state === 'open' && (
      <Button size='s' variant='ghost' onClick={() => setRevoked(invitation)}>Revoke</Button>
    ))
  ]
  return (
    <Card flush>
      <Table
        label='Invitations' columns={columns} rows={value?.invitations} rowKey={({ id }) => id}
        error={value === undefined ? error : undefined} onRetry={retry} isDimmed={({ state }) => state !== 'open'}
        empty={(
          <EmptyState
            icon='people' title='No invitations' action={<Button variant='primary' onClick={onInvite}>Invite</Button>}
          >
            An invitation is a link that lets one person in.
          </EmptyState>
        )}
      />
      {revoked && (
        <ConfirmDialog
          title={`Revoke the invitation of ${revoked.email}?`} description='The link no longer works.'
          confirm='Revoke' done='Invitation revoked.' changes={['/invitations']} onClose={() => setRevoked(undefined)}
          work={() => call('DELETE /invitations/:id', { params: { id: revoked.id } })}
        />
      )}
    </Card>
  )
}
