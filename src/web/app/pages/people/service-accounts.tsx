/** Service accounts and their owners. */
import { useState } from 'preact/hooks'
import type { ServiceAccount } from '../../api/answers.js'
import { call } from '../../api/call.js'
import { useOperation } from '../../api/resource.js'
import { Badge, EmptyState } from '../../components/states.js'
import { Button } from '../../components/button.js'
import { Card } from '../../components/layout.js'
import { ConfirmDialog } from '../../components/dialog.js'
import { Menu, type MenuItem } from '../../components/menu.js'
import { actionsColumn, CellLines, type Column, Table } from '../../components/table.js'
import { MembershipDialog } from './membership-dialog.js'
import { ServiceAccountDialog } from './service-account-dialog.js'
import { userColumns } from './user-columns.js'

type DialogKind = 'memberships' | 'edit' | 'switch'

export const ServiceAccounts = ({ onCreate }: { onCreate: () => void }) => {
  const { value, error, retry } = useOperation('GET /service-accounts')
  const [dialog, setDialog] = useState<{ account: ServiceAccount, kind: DialogKind }>()
  const close = (): void => setDialog(undefined)
  const columns: ReadonlyArray<Column<ServiceAccount>> = [
    {
      id: 'name',
      header: 'Name',
      cell: ({ name, email, deactivated_at: at }) => (
        <CellLines title={<>{name} {at !== null && <Badge tone='bad'>Deactivated</Badge>}</>}>{email}</CellLines>
      )
    },
    {
      id: 'owner',
      header: 'Owner',
      cell: ({ owner }) => owner === null
        ? <Badge tone='warn'>No one</Badge>
        : <span title={owner.email}>{owner.name}</span>
    },
    ...userColumns,
    actionsColumn((account) => {
      const item = (kind: DialogKind, label: string, icon: MenuItem['icon'], danger = false): MenuItem =>
        ({ label, icon, danger, onSelect: () => setDialog({ account, kind }) })
      return (
        <Menu
          label={`Actions for ${account.name}`}
          items={[
            item('memberships', 'Workspaces and roles', 'workspace'),
            item('edit', 'Rename or change owner', 'edit'),
            { label: 'Audit log', icon: 'log', href: `/audit?user=${account.id}` },
            account.deactivated_at === null
              ? item('switch', 'Deactivate', 'signOut', true)
              : item('switch', 'Activate', 'check')
          ]}
        />
      )
    })
  ]
  const empty = (
    <EmptyState
      icon='server' title='No service accounts'
      action={<Button variant='primary' onClick={onCreate}>Create service account</Button>}
    >
      A service account owns keys of programs that run without a person, such as a nightly report.
    </EmptyState>
  )
  return (
    <Card flush>
      <Table
        label='Service accounts' columns={columns} rows={value?.service_accounts} rowKey={({ id }) => id}
        error={value === undefined ? error : undefined} onRetry={retry}
        isDimmed={({ deactivated_at: at }) => at !== null} empty={empty}
      />
      {dialog?.kind === 'memberships' && <MembershipDialog person={dialog.account} onClose={close} />}
      {dialog?.kind === 'edit' && <ServiceAccountDialog account={dialog.account} onClose={close} />}
      {dialog?.kind === 'switch' && <SwitchDialog account={dialog.account} onClose={close} />}
    </Card>
  )
}

const SwitchDialog = (
  { account: { id, name, deactivated_at: at }, onClose }: { account: ServiceAccount, onClose: () => void }
) => {
  const active = at === null
  return (
    <ConfirmDialog
      title={`${active ? 'Deactivate' : 'Activate'} ${name}?`}
      danger={active}
      confirm={active ? 'Deactivate' : 'Activate'}
      description={active
        ? 'Its keys are refused at their next call. You can activate it again.'
        : 'Its keys that were not revoked work again.'}
      work={() => call('PATCH /service-accounts/:id', { params: { id }, body: { deactivated: active } })}
      changes={['/service-accounts', '/admin/credentials']} done={active ? 'Deactivated.' : 'Activated.'}
      onClose={onClose}
    />
  )
}
