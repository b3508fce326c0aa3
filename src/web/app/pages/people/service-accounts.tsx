/** Service accounts and their owners. */
import { useState } from 'preact/hooks'
import type { ServiceAccount } from '../../api/answers.js'
import { call } from '../../api/call.js'
import { useOperation } from '../../api/resource.js'
import { Button } from '../../components/button.js'
import { ConfirmDialog, FormDialog } from '../../components/dialog.js'
import { TextField } from '../../components/fields.js'
import { Card } from '../../components/layout.js'
import { Menu } from '../../components/menu.js'
import { Badge, EmptyState } from '../../components/states.js'
import { actionsColumn, CellLines, Table, type Column } from '../../components/table.js'
import { useSessionState } from '../../lib/session.js'
import { userColumns } from './people-table.js'
import { MembershipDialog } from './roles.js'

const COLUMNS: ReadonlyArray<Column<ServiceAccount>> = [
  {
    header: 'Name',
    cell: ({ name, email, deactivated_at: at }) => (
      <CellLines title={<>{name} {at !== null && <Badge tone='bad'>Deactivated</Badge>}</>}>{email}</CellLines>
    )
  },
  {
    header: 'Owner',
    cell: ({ owner }) => owner === null
      ? <Badge tone='warn'>No one</Badge>
      : <span title={owner.email}>{owner.name}</span>
  },
  ...userColumns,
  actionsColumn((account) => (
    <Menu
      label={`Actions for ${account.name}`}
      items={[
        { label: 'Workspaces and roles', icon: 'workspace', dialog: <MembershipDialog person={account} /> },
        { label: 'Rename or change owner', icon: 'edit', dialog: <ServiceAccountDialog account={account} /> },
        { label: 'Audit log', icon: 'log', href: `/audit?user=${account.id}` },
        {
          ...account.deactivated_at === null
            ? { label: 'Deactivate', icon: 'signOut', danger: true }
            : { label: 'Activate', icon: 'check' },
          dialog: <SwitchDialog account={account} />
        }
      ]}
    />
  ))
]

export const ServiceAccounts = () => {
  const list = useOperation('GET /service-accounts')
  return (
    <Card flush>
      <Table
        label='Service accounts' {...list} columns={COLUMNS} rows={list.value?.service_accounts}
        isDimmed={({ deactivated_at: at }) => at !== null}
        empty={(
          <EmptyState
            icon='server' title='No service accounts'
            action={<Button variant='primary' dialog={<ServiceAccountDialog />}>Create service account</Button>}
          >
            A service account owns keys of programs that run without a person, such as a nightly report.
          </EmptyState>
        )}
      />
    </Card>
  )
}

const SwitchDialog = ({ account: { id, name, deactivated_at: at } }: { account: ServiceAccount }) => {
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
    />
  )
}

/** Changes the name and the owner of a service account; without `account` it makes one. */
export const ServiceAccountDialog = ({ account }: { account?: ServiceAccount }) => {
  const own = useSessionState()?.session.user.email ?? ''
  const [name, setName] = useState(account?.name ?? '')
  const [email, setEmail] = useState('')
  const [owner, setOwner] = useState(account ? account.owner?.email ?? '' : own)
  const complete = name.trim() !== '' && (account !== undefined || email.trim() !== '')
  const save = (): Promise<unknown> => {
    const fields = { name: name.trim(), ...owner.trim() !== '' && { owner: owner.trim() } }
    return account
      ? call('PATCH /service-accounts/:id', { params: { id: account.id }, body: fields })
      : call('POST /service-accounts', { body: { ...fields, email: email.trim() } })
  }
  return (
    <FormDialog
      title={account ? `Change ${account.name}` : 'Create a service account'}
      description='Its owner answers for it: they see its keys and its audit log.'
      confirm={account ? 'Save' : 'Create service account'} disabled={!complete}
      work={save} changes={['/service-accounts']}
      done={account ? 'Service account changed.' : 'Service account created.'}
    >
      <TextField label='Name' value={name} onInput={setName} required maxLength={200} placeholder='Nightly report' />
      {!account && (
        <TextField
          label='E-mail' type='email' value={email} onInput={setEmail} required maxLength={320}
          placeholder='nightly-report@example.com' hint='Only a name in lists; nothing is sent to it.'
        />
      )}
      <TextField
        label='Owner' type='email' value={owner} onInput={setOwner} maxLength={320}
        hint='The e-mail address of a person.'
      />
    </FormDialog>
  )
}
