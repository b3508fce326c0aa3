/** People as a table; what can be done with one stands in the menu of the row. */
import type { ComponentProps } from 'preact'
import type { Person } from '../../api/answers.js'
import { call, type Sent } from '../../api/call.js'
import type { PagedList } from '../../api/pages.js'
import { ConfirmDialog } from '../../components/dialog.js'
import { Avatar, type IconName } from '../../components/icon.js'
import { Menu, type MenuItem } from '../../components/menu.js'
import { Badge, EmptyState } from '../../components/states.js'
import { actionsColumn, CellLines, numberColumn, Table, timeColumn, type Column } from '../../components/table.js'
import { countOf } from '../../lib/format.js'
import { useSessionState } from '../../lib/session.js'
import { MembershipDialog } from './roles.js'

type UserRow = Pick<Person, 'id' | 'memberships' | 'credential_count' | 'last_active_at'>

const SHOWN_WORKSPACES = 2

const MembershipList = ({ memberships }: Pick<Person, 'memberships'>) => {
  if (memberships.length === 0) return <span class='person-none'>none</span>
  const rest = memberships.length - SHOWN_WORKSPACES
  return (
    <span title={memberships.map(({ workspace, role }) => `${workspace.name}: ${role}`).join('\n')}>
      {memberships.slice(0, SHOWN_WORKSPACES).map(({ workspace }) => workspace.name).join(', ')}
      {rest > 0 && ` and ${rest} more`}
    </span>
  )
}

export const userColumns: ReadonlyArray<Column<UserRow>> = [
  {
    header: 'Workspaces',
    cell: ({ memberships }) => <MembershipList memberships={memberships} />,
    hideBelow: 40
  },
  numberColumn('Credentials', ({ credential_count: count }) => count, 54,
    ({ credential_count: count, id }) => <a href={`/admin/credentials?user=${id}`}>{count}</a>),
  timeColumn('Last active', ({ last_active_at: at }) => at)
]

interface PeopleTableProps { list: PagedList<unknown, Person>, searched: boolean, total: number | undefined }

export const PeopleTable = ({ list, searched, total }: PeopleTableProps) => {
  const own = useSessionState()?.session.user.id
  const columns: ReadonlyArray<Column<Person>> = [
    {
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
      header: 'Rights',
      cell: ({ server_admin: admin, deactivated_at: deactivated }) => (
        <span class='badges'>
          {deactivated !== null && <Badge tone='bad'>Deactivated</Badge>}
          {admin && <Badge tone='accent'>Server admin</Badge>}
        </span>
      )
    },
    ...userColumns,
    actionsColumn((person) => <Menu label={`Actions for ${person.name}`} items={itemsOf(person)} />)
  ]
  return (
    <Table
      label='People' {...list} columns={columns} isDimmed={({ deactivated_at: at }) => at !== null}
      noun='person' plural='people' total={total}
      empty={(
        <EmptyState icon='people' title={searched ? 'No one has this name or address' : 'No one is here yet'}>
          {!searched && 'Invite the first person.'}
        </EmptyState>
      )}
    />
  )
}

type Texts = Pick<ComponentProps<typeof ConfirmDialog>, 'title' | 'description' | 'done'>

const itemsOf = (person: Person): MenuItem[] => {
  const { id, name } = person
  /** Asks before a person is changed; without `body` they are deleted. */
  const ask = (label: string, icon: IconName, danger: boolean, texts: Texts, body?: Sent<'PATCH /people/:id'>) => ({
    label,
    icon,
    // Of the entries only those that end something are red.
    danger: danger && icon !== 'shield',
    dialog: (
      <ConfirmDialog
        {...texts} confirm={label} danger={danger} changes={['/people', '/admin/credentials']}
        work={() => body
          ? call('PATCH /people/:id', { params: { id }, body })
          : call('DELETE /people/:id', { params: { id } })}
      />
    )
  })
  return [
    { label: 'Workspaces and roles', icon: 'workspace', dialog: <MembershipDialog person={person} /> },
    { label: 'Audit log', icon: 'log', href: `/audit?user=${id}` },
    person.server_admin
      ? ask('Remove server admin', 'shield', true, {
        title: `Remove the administrator's rights of ${name}?`,
        description: 'They keep their memberships and their credentials.',
        done: 'They are no longer a server administrator.'
      }, { server_admin: false })
      : ask('Make server admin', 'shield', false, {
        title: `Make ${name} a server administrator?`,
        description: 'They will manage this server: all workspaces, people and credentials. They may join each ' +
          'workspace.',
        done: 'They are a server administrator now.'
      }, { server_admin: true }),
    person.deactivated_at === null
      ? ask('Deactivate', 'signOut', true, {
        title: `Deactivate ${name}?`,
        description: 'They are signed out everywhere at once, and all their keys and tokens are refused. Nothing is ' +
          'deleted; you can activate them again.',
        done: 'Deactivated.'
      }, { deactivated: true })
      : ask('Activate', 'check', false, {
        title: `Activate ${name}?`,
        description: 'They can sign in again, and their keys and tokens that were not revoked work again.',
        done: 'Activated.'
      }, { deactivated: false }),
    ask('Remove', 'trash', true, {
      title: `Remove ${name}?`,
      description: 'Their account, their memberships and their credentials are deleted, and agents that use them are ' +
        'refused at the next call. This cannot be undone. The audit log stays.',
      done: 'Removed.'
    })
  ]
}
