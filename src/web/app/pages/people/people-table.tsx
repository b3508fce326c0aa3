/** People as a table; what can be done with one stands in the menu of the row. */
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

/** The columns that the tables of people and of service accounts share. */
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

interface Action {
  label: string
  icon: IconName
  danger?: boolean
  title: string
  text: string
  done: string
  /** What is sent; the person is deleted without it. */
  change?: Sent<'PATCH /people/:id'>
}

const actionsOf = ({ name, server_admin: admin, deactivated_at: deactivated }: Person): readonly Action[] => [
  admin
    ? {
        label: 'Remove server admin',
        icon: 'shield',
        danger: true,
        title: `Remove the administrator's rights of ${name}?`,
        text: 'They keep their memberships and their credentials.',
        done: 'They are no longer a server administrator.',
        change: { server_admin: false }
      }
    : {
        label: 'Make server admin',
        icon: 'shield',
        title: `Make ${name} a server administrator?`,
        text: 'They will manage this server: all workspaces, people and credentials. They may join each workspace.',
        done: 'They are a server administrator now.',
        change: { server_admin: true }
      },
  deactivated === null
    ? {
        label: 'Deactivate',
        icon: 'signOut',
        danger: true,
        title: `Deactivate ${name}?`,
        text: 'They are signed out everywhere at once, and all their keys and tokens are refused. Nothing is ' +
          'deleted; you can activate them again.',
        done: 'Deactivated.',
        change: { deactivated: true }
      }
    : {
        label: 'Activate',
        icon: 'check',
        title: `Activate ${name}?`,
        text: 'They can sign in again, and their keys and tokens that were not revoked work again.',
        done: 'Activated.',
        change: { deactivated: false }
      },
  {
    label: 'Remove',
    icon: 'trash',
    danger: true,
    title: `Remove ${name}?`,
    text: 'Their account, their memberships and their credentials are deleted, and agents that use them are refused ' +
      'at the next call. This cannot be undone. The audit log stays.',
    done: 'Removed.'
  }
]

const itemsOf = (person: Person): MenuItem[] => [
  { label: 'Workspaces and roles', icon: 'workspace', dialog: <MembershipDialog person={person} /> },
  { label: 'Audit log', icon: 'log', href: `/audit?user=${person.id}` },
  ...actionsOf(person).map(({ label, icon, danger = false, title, text, done, change }) => ({
    label,
    icon,
    // Of the entries only those that end something are red.
    danger: danger && icon !== 'shield',
    dialog: (
      <ConfirmDialog
        title={title} description={text} confirm={label} danger={danger} done={done}
        changes={['/people', '/admin/credentials']}
        work={() => change
          ? call('PATCH /people/:id', { params: { id: person.id }, body: change })
          : call('DELETE /people/:id', { params: { id: person.id } })}
      />
    )
  }))
]
