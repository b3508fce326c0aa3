/** Workspaces: create, join, rename, archive, who is a member, and what agents may do. */
import { useState } from 'preact/hooks'
import type { WorkspaceRow } from '../api/answers.js'
import { useOperation } from '../api/resource.js'
import { Button } from '../components/button.js'
import { Card, PageHeader } from '../components/layout.js'
import { Menu, type MenuItem } from '../components/menu.js'
import { Filters, SearchField } from '../components/search-field.js'
import { Badge, EmptyState } from '../components/states.js'
import {
  actionsColumn, CellLines, numberColumn, Table, timeColumn, type Column, type TableProps
} from '../components/table.js'
import { useSessionState } from '../lib/session.js'
import { AGENT_POLICY_LABELS, sentenceCase } from '../lib/words.js'
import { MembersDialog } from './people/roles.js'
import { AgentsDialog, ArchiveDialog, JoinDialog, WorkspaceDialog } from './workspaces/dialogs.js'
import './people/people.css'

const Workspaces = () => {
  const admin = useSessionState()?.session.server_admin ?? false
  const list = useOperation('GET /workspaces', { query: { archived: 'include', others: 'include' } })
  const [filter, setFilter] = useState('')
  const words = filter.trim().toLowerCase()
  const fits = ({ name, slug, description = '' }: WorkspaceRow): boolean =>
    [name, slug, description].some((text) => text.toLowerCase().includes(words))
  const found = list.value?.workspaces.filter(fits)
  const others = found?.filter(({ role }) => role === null) ?? []
  const joinable = others.filter(({ archived_at: at }) => at === null)
  return (
    <>
      <PageHeader
        title='Workspaces'
        description='A workspace holds explorations. Its members see them, and agents see what their people see.'
        actions={admin &&
          <Button variant='primary' icon='plus' dialog={<WorkspaceDialog />}>Create workspace</Button>}
      />
      <Card flush>
        <Filters><SearchField label='Search workspaces' value={filter} onInput={setFilter} /></Filters>
        <WorkspaceTable
          label='Workspaces' {...list} rows={found?.filter(({ role }) => role !== null)}
          empty={words === ''
            ? <NoMembership admin={admin} canJoin={joinable.length > 0} />
            : <EmptyState icon='search' title='No workspace of yours has this name' />}
        />
      </Card>
      {others.length > 0 && (
        <Card
          flush title='Workspaces you are not a member of'
          description={'You can manage them. Their explorations are neither in your lists nor in what your agents ' +
            'read until you join.'}
          actions={joinable.length > 1 &&
            <Button dialog={<JoinDialog workspaces={joinable} />}>{`Join all ${joinable.length}`}</Button>}
        >
          <WorkspaceTable label='Workspaces you are not a member of' joinable rows={others} />
        </Card>
      )}
    </>
  )
}

const NoMembership = ({ admin, canJoin }: { admin: boolean, canJoin: boolean }) => (
  <EmptyState icon='workspace' title={canJoin ? 'You are a member of no workspace' : 'No workspaces yet'}>
    {canJoin && 'Join those below whose explorations you and your agents are to see.'}
    {!canJoin && (admin
      ? 'Create the first one, or import a file that has some.'
      : 'Ask an administrator to add you to one.')}
  </EmptyState>
)

const COLUMNS: ReadonlyArray<Column<WorkspaceRow>> = [
  {
    header: 'Name',
    order: ({ name }) => name.toLowerCase(),
    cell: ({ name, slug, description, archived_at: at }) => (
      <CellLines title={<>{name} {at !== null && <Badge>Archived</Badge>}</>}>
        <code>{slug}</code>
        {description !== undefined && <span class='cell-note-line' title={description}>{description}</span>}
      </CellLines>
    )
  },
  numberColumn('Explorations', ({ exploration_count: count }) => count),
  numberColumn('Members', ({ member_count: count }) => count, 40),
  {
    header: 'Agents',
    order: ({ agents }) => agents,
    cell: ({ agents }) => AGENT_POLICY_LABELS[agents],
    hideBelow: 54
  }
]

const ROLE: Column<WorkspaceRow> = {
  header: 'Your role',
  cell: ({ role }) => role === null ? '–' : sentenceCase(role),
  hideBelow: 54
}

const itemsOf = (workspace: WorkspaceRow, isServerAdmin: boolean): MenuItem[] => {
  const { slug, role, may_administer: mayAdminister, archived_at: at } = workspace
  const listed = role !== null && at === null
  const items: Array<MenuItem | false> = [
    listed && { label: 'Explorations', icon: 'explore', href: `/?workspace=${encodeURIComponent(slug)}` },
    mayAdminister && { label: 'Members', icon: 'people', dialog: <MembersDialog workspace={workspace} /> },
    mayAdminister && { label: 'Agents', icon: 'key', dialog: <AgentsDialog workspace={workspace} /> },
    isServerAdmin && { label: 'Rename', icon: 'edit', dialog: <WorkspaceDialog workspace={workspace} /> },
    isServerAdmin && (at === null
      ? { label: 'Archive', icon: 'trash', danger: true, dialog: <ArchiveDialog workspace={workspace} /> }
      : { label: 'Restore', icon: 'history', dialog: <ArchiveDialog workspace={workspace} /> })
  ]
  return items.filter((item) => item !== false)
}

type WorkspaceTableProps = Omit<TableProps<WorkspaceRow>, 'columns'> & {
  /** Of workspaces that the person is not a member of: each row has a button that joins it. */
  joinable?: boolean
}

const WorkspaceTable = ({ joinable = false, ...table }: WorkspaceTableProps) => {
  const admin = useSessionState()?.session.server_admin ?? false
  const columns: ReadonlyArray<Column<WorkspaceRow>> = [
    ...COLUMNS,
    ...joinable ? [] : [ROLE],
    timeColumn('Created', ({ created_at: at }) => at),
    actionsColumn((workspace) => (
      <span class='workspace-actions'>
        {joinable && workspace.archived_at === null && (
          <Button size='s' aria-label={`Join ${workspace.name}`} dialog={<JoinDialog workspaces={[workspace]} />}>
            Join
          </Button>
        )}
        <Menu label={`Actions for ${workspace.name}`} items={itemsOf(workspace, admin)} />
      </span>
    ))
  ]
  return <Table {...table} columns={columns} isDimmed={({ archived_at: at }) => at !== null} />
}

export default Workspaces
