/** People as a table; what can be done with one stands in the menu of the row. */
import { useState } from 'preact/hooks'
import type { Person } from '../../api/answers.js'
import { call } from '../../api/call.js'
import type { PagedList } from '../../api/pages.js'
import { Avatar } from '../../components/icon.js'
import { Badge, EmptyState } from '../../components/states.js'
import { ConfirmDialog } from '../../components/dialog.js'
import { Menu, type MenuItem } from '../../components/menu.js'
import { actionsColumn, CellLines, type Column, Table } from '../../components/table.js'
import { countOf } from '../../lib/format-number.js'
import { useSessionState } from '../../lib/session.js'
import { MembershipDialog } from './membership-dialog.js'
import { userColumns } from './user-columns.js'

type PersonAction = 'memberships' | 'make-admin' | 'remove-admin' | 'deactivate' | 'activate' | 'delete'

export const PeopleTable = ({ list, searched }: { list: PagedList<unknown, Person>, searched: boolean }) => {
  const [dialog, setDialog] = useState<{ person: Person, kind: PersonAction }>()
  const own = useSessionState()?.session.user.id
  const close = (): void => setDialog(undefined)
  const columns: ReadonlyArray<Column<Person>> = [
    {
      id: 'name',
      header: 'Name',
      order: ({ name }) => name.toLowerCase(),
      cell: (person) => (
        <div class='person'>
          <Avatar name={person.name} />
          <CellLines title={<>{person.name}{person.id === own && <span class='person-own'> you</span>}</>}>
            {person.email}
            <span class='only-below-40'>{countOf(person.memberships.length, 'workspace')}</span>
          </CellLines>
        </div>
      )
    },
    {
      id: 'rights',
      header: 'Rights',
      cell: ({ server_admin: admin, deactivated_at: deactivated }) => (
        <span class='badges'>
          {deactivated !== null && <Badge tone='bad'>Deactivated</Badge>}
          {admin && <Badge tone='accent'>Server admin</Badge>}
        </span>
      )
    },
    ...userColumns,
    actionsColumn((person) => (
      <Menu label={`Actions for ${person.name}`} items={itemsOf(person, (kind) => setDialog({ person, kind }))} />
    ))
  ]
  return (
    <>
      <Table
        label='People' columns={columns} rows={list.rows} complete={list.onMore === undefined} rowKey={({ id }) => id}
        error={list.error} onRetry={list.retry} isDimmed={({ deactivated_at: at }) => at !== null}
        empty={(
          <EmptyState icon='people' title={searched ? 'No one has this name or address' : 'No one is here yet'}>
            {!searched && 'Invite the first person.'}
          </EmptyState>
        )}
      />
      {dialog?.kind === 'memberships' && <MembershipDialog person={dialog.person} onClose={close} />}
      {dialog !== undefined && dialog.kind !== 'memberships' && (
        <ConfirmActionDialog person={dialog.person} kind={dialog.kind} onClose={close} />
      )}
    </>
  )
}

const itemsOf = (person: Person, onSelect: (kind: PersonAction) => void): MenuItem[] => {
  const item = (kind: PersonAction, label: string, icon: MenuItem['icon'], danger = false): MenuItem =>
    ({ label, icon, danger, onSelect: () => onSelect(kind) })
  return [
    item('memberships', 'Workspaces and roles', 'workspace'),
    { label: 'Audit log', icon: 'log', href: `/audit?user=${person.id}` },
    person.server_admin
      ? item('remove-admin', 'Remove server admin', 'shield')
      : item('make-admin', 'Make server admin', 'shield'),
    person.deactivated_at === null
      ? item('deactivate', 'Deactivate', 'signOut', true)
      : item('activate', 'Activate', 'check'),
    item('delete', 'Remove', 'trash', true)
  ]
}

interface Confirmation {
  title: (name: string) => string
  text: string
  confirm: string
  done: string
  danger: boolean
}

const CONFIRMATIONS: Record<Exclude<PersonAction, 'memberships'>, Confirmation> = {
  'make-admin': {
    title: (name) => `Make ${name} a server administrator?`,
    text: 'They will manage this server: all workspaces, people and credentials. They may join each workspace.',
    confirm: 'Make server admin',
    done: 'They are a server administrator now.',
    danger: false
  },
  'remove-admin': {
    title: (name) => `Remove the administrator's rights of ${name}?`,
    text: 'They keep their memberships and their credentials.',
    confirm: 'Remove server admin',
    done: 'They are no longer a server administrator.',
    danger: true
  },
  deactivate: {
    title: (name) => `Deactivate ${name}?`,
    text: 'They are signed out everywhere at once, and all their keys and tokens are refused. Nothing is deleted; ' +
      'you can activate them again.',
    confirm: 'Deactivate',
    done: 'Deactivated.',
    danger: true
  },
  activate: {
    title: (name) => `Activate ${name}?`,
    text: 'They can sign in again, and their keys and tokens that were not revoked work again.',
    confirm: 'Activate',
    done: 'Activated.',
    danger: false
  },
  delete: {
    title: (name) => `Remove ${name}?`,
    text: 'Their account, their memberships and their credentials are deleted, and agents that use them are refused ' +
      'at the next call. This cannot be undone. The audit log stays.',
    confirm: 'Remove',
    done: 'Removed.',
    danger: true
  }
}

const ConfirmActionDialog = (
  { person, kind, onClose }: { person: Person, kind: Exclude<PersonAction, 'memberships'>, onClose: () => void }
) => {
  const { title, text, confirm, done, danger } = CONFIRMATIONS[kind]
  const params = { id: person.id }
  const work = (): Promise<unknown> => {
    if (kind === 'delete') return call('DELETE /people/:id', { params })
    return call('PATCH /people/:id', {
      params,
      body: kind === 'make-admin' || kind === 'remove-admin'
        ? { server_admin: kind === 'make-admin' }
        : { deactivated: kind === 'deactivate' }
    })
  }
  return (
    <ConfirmDialog
      title={title(person.name)} description={text} confirm={confirm} danger={danger} done={done}
      work={work} changes={['/people', '/admin/credentials']} onClose={onClose}
    />
  )
}
