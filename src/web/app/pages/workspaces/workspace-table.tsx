/** A table of workspaces, with what the person may do with each. */
import type { ComponentChildren } from 'preact'
import { Badge } from '../../components/states.js'
import { Button } from '../../components/button.js'
import { Menu, type MenuItem } from '../../components/menu.js'
import {
  actionsColumn, CellLines, type Column, numberColumn, Table, type TableProps, timeColumn
} from '../../components/table.js'
import { AGENT_POLICY_LABELS, sentenceCase } from '../../lib/words.js'
import type { WorkspaceRow } from '../../api/answers.js'

export type WorkspaceAction = 'members' | 'agents' | 'rename' | 'archive' | 'join'

interface WorkspaceTableProps extends Pick<TableProps<WorkspaceRow>, 'label' | 'rows' | 'error' | 'onRetry'> {
  /** Whether the person is a server administrator. */
  admin: boolean
  /** Of workspaces that the person is not a member of: each row has a button that joins it. */
  joinable?: boolean
  onAction: (action: WorkspaceAction, workspace: WorkspaceRow) => void
  empty?: ComponentChildren
}

const COLUMNS: ReadonlyArray<Column<WorkspaceRow>> = [
  {
    id: 'name',
    header: 'Name',
    order: ({ name }) => name.toLowerCase(),
    cell: ({ name, slug, description, archived_at: at }) => (
      <CellLines title={<>{name} {at !== null && <Badge>Archived</Badge>}</>}>
        <code>{slug}</code>
        {description !== undefined && <span class='cell-note-line' title={description}>{description}</span>}
      </CellLines>
    )
  },
  numberColumn('explorations', 'Explorations', ({ exploration_count: count }) => count),
  numberColumn('members', 'Members', ({ member_count: count }) => count, 40),
  {
    id: 'agents',
    header: 'Agents',
    order: ({ agents }) => agents,
    cell: ({ agents }) => AGENT_POLICY_LABELS[agents],
    hideBelow: 54
  }
]

export const WorkspaceTable = ({ admin, joinable = false, onAction, ...table }: WorkspaceTableProps) => {
  const itemsOf = (workspace: WorkspaceRow): MenuItem[] => {
    const item = (action: WorkspaceAction, label: string, icon: MenuItem['icon'], danger = false): MenuItem =>
      ({ label, icon, danger, onSelect: () => onAction(action, workspace) })
    const { slug, role, may_administer: mayAdminister, archived_at: at } = workspace
    return [
      ...role === null || at !== null
        ? []
        : [{ label: 'Explorations', icon: 'explore', href: `/?workspace=${encodeURIComponent(slug)}` } as const],
      ...mayAdminister ? [item('members', 'Members', 'people'), item('agents', 'Agents', 'key')] : [],
      ...admin
        ? [
            item('rename', 'Rename', 'edit'),
            at === null ? item('archive', 'Archive', 'trash', true) : item('archive', 'Restore', 'history')
          ]
        : []
    ]
  }
  const columns: ReadonlyArray<Column<WorkspaceRow>> = [
    ...COLUMNS,
    ...joinable
      ? []
      : [{
          id: 'role',
          header: 'Your role',
          cell: ({ role }: WorkspaceRow) => role === null ? '–' : sentenceCase(role),
          hideBelow: 54 as const
        }],
    timeColumn('created', 'Created', ({ created_at: at }) => at),
    actionsColumn((workspace) => (
      <span class='workspace-actions'>
        {joinable && workspace.archived_at === null && (
          <Button size='s' aria-label={`Join ${workspace.name}`} onClick={() => onAction('join', workspace)}>
            Join
          </Button>
        )}
        <Menu label={`Actions for ${workspace.name}`} items={itemsOf(workspace)} />
      </span>
    ))
  ]
  return (
    <Table {...table} columns={columns} rowKey={({ id }) => id} isDimmed={({ archived_at: at }) => at !== null} />
  )
}
