/** The columns that the tables of people and of service accounts share. */
import { type Column, numberColumn, timeColumn } from '../../components/table.js'
import type { Person } from '../../api/answers.js'

type UserRow = Pick<Person, 'id' | 'memberships' | 'credential_count' | 'last_active_at'>

const SHOWN = 2

const MembershipList = ({ memberships }: Pick<Person, 'memberships'>) => {
  if (memberships.length === 0) return <span class='person-none'>none</span>
  const rest = memberships.length - SHOWN
  return (
    <span title={memberships.map(({ workspace, role }) => `${workspace.name}: ${role}`).join('\n')}>
      {memberships.slice(0, SHOWN).map(({ workspace }) => workspace.name).join(', ')}
      {rest > 0 && ` and ${rest} more`}
    </span>
  )
}

export const userColumns: ReadonlyArray<Column<UserRow>> = [
  {
    id: 'workspaces',
    header: 'Workspaces',
    cell: ({ memberships }) => <MembershipList memberships={memberships} />,
    hideBelow: 40
  },
  numberColumn('credentials', 'Credentials', ({ credential_count: count }) => count, 54,
    ({ credential_count: count, id }) => <a href={`/admin/credentials?user=${id}`}>{count}</a>),
  timeColumn('active', 'Last active', ({ last_active_at: at }) => at)
]
