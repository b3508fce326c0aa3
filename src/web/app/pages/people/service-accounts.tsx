/** Service accounts and their owners. */
import { useState } from 'preact/hooks'
import type { ServiceAccount } from '../../api/answers.js'
import { call } from '../../api/call.js'
import { useAction } from '../../api/action.js'
import { invalidate, useOperation } from '../../api/resource.js'
import { Badge } from '../../components/badge.js'
import { Button } from '../../components/button.js'
import { Card } from '../../components/card.js'
import { ConfirmDialog } from '../../components/dialog.js'
import { Menu } from '../../components/menu.js'
import { EmptyState } from '../../components/states.js'
import { CellLines, Table, type Column } from '../../components/table.js'
import { showToast } from '../../components/toast.js'
import { MembershipDialog } from './membership-dialog.js'
import { ServiceAccountDialog } from './service-account-dialog.js'
import { userColumns } from './user-columns.js'

interface ServiceAccountDialogState { account: ServiceAccount, kind: 'memberships' | 'edit' | 'switch' }

/** Draws the table with its menus and dialogs. */
export const ServiceAccounts = ({ onCreate }: { onCreate: () => void }) => {
  const { value, error, retry } = useOperation('GET /service-accounts')
  const [dialog, setDialog] = useState<ServiceAccountDialogState>()
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
        ? <Badge tone='warn'>Nobody</Badge>
        : <span title={owner.email}>{owner.name}</span>
    },
    ...userColumns,
    {
      id: 'menu',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (account) => (
        <Menu
          label={`Actions for ${account.name}`}
          items={[
            {
              label: 'Workspaces and roles',
              icon: 'workspace',
              onSelect: () => setDialog({ account, kind: 'memberships' })
            },
            { label: 'Rename or change owner', icon: 'edit', onSelect: () => setDialog({ account, kind: 'edit' }) },
            { label: 'Audit log', icon: 'log', href: `/audit?user=${account.id}` },
            account.deactivated_at === null
              ? {
                  label: 'Deactivate',
                  icon: 'signOut',
                  danger: true,
                  onSelect: () => setDialog({ account, kind: 'switch' })
                }
              : { label: 'Activate', icon: 'check', onSelect: () => setDialog({ account, kind: 'switch' }) }
          ]}
        />
      )
    }
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
        label='Service accounts'
        columns={columns}
        rows={value?.service_accounts}
        rowKey={({ id }) => id}
        error={value === undefined ? error : undefined}
        onRetry={retry}
        isDimmed={({ deactivated_at: at }) => at !== null}
        empty={empty}
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
  const { run, pending, error } = useAction(async () => {
    await call('PATCH /service-accounts/:id', { params: { id }, body: { deactivated: active } })
    invalidate('/service-accounts', '/admin/credentials')
    showToast(active ? 'Deactivated.' : 'Activated.')
    onClose()
  })
  return (
    <ConfirmDialog
      title={`${active ? 'Deactivate' : 'Activate'} ${name}?`}
      danger={active}
      confirm={active ? 'Deactivate' : 'Activate'}
      description={active
        ? 'Its keys are refused at their next call. You can activate it again.'
        : 'Its keys that were not revoked work again.'}
      pending={pending}
      error={error}
      onConfirm={() => run()}
      onClose={onClose}
    />
  )
}
