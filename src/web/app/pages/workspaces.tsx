/** Workspaces: create, rename, archive, and who is a member. */
import { useState } from 'preact/hooks'
import { call, type Answer } from '../api/call.js'
import { useAction } from '../api/action.js'
import { invalidate, useOperation } from '../api/resource.js'
import { Badge } from '../components/badge.js'
import { Button } from '../components/button.js'
import { Card } from '../components/card.js'
import { ConfirmDialog } from '../components/dialog.js'
import { Menu, type MenuItem } from '../components/menu.js'
import { PageHeader } from '../components/page-header.js'
import { EmptyState } from '../components/states.js'
import { CellLines, Table, type Column } from '../components/table.js'
import { Time } from '../components/time.js'
import { showToast } from '../components/toast.js'
import { formatNumber } from '../lib/format-number.js'
import { useSessionState } from '../lib/session.js'
import { sentenceCase } from '../lib/words.js'
import { MembersDialog } from './workspaces/members-dialog.js'
import { WorkspaceDialog } from './workspaces/workspace-dialog.js'

export type WorkspaceRow = Answer<'GET /workspaces'>['workspaces'][number]

type WorkspaceDialogState = { kind: 'create' } | { kind: 'rename' | 'archive' | 'members', workspace: WorkspaceRow }

const Workspaces = () => {
  const admin = useSessionState()?.session.server_admin ?? false
  const { value, error, reload } = useOperation('GET /workspaces', { query: { archived: 'include' } })
  const [dialog, setDialog] = useState<WorkspaceDialogState>()
  const close = (): void => setDialog(undefined)
  const itemsOf = (workspace: WorkspaceRow): MenuItem[] => [
    { label: 'Explorations', icon: 'explore', href: `/?workspace=${encodeURIComponent(workspace.slug)}` },
    ...workspace.may_administer
      ? [{ label: 'Members', icon: 'people', onSelect: () => setDialog({ kind: 'members', workspace }) } as const]
      : [],
    ...admin
      ? [
          { label: 'Rename', icon: 'edit', onSelect: () => setDialog({ kind: 'rename', workspace }) } as const,
          workspace.archived_at === null
            ? {
                label: 'Archive',
                icon: 'trash',
                danger: true,
                onSelect: () => setDialog({ kind: 'archive', workspace })
              } as const
            : { label: 'Restore', icon: 'history', onSelect: () => setDialog({ kind: 'archive', workspace }) } as const
        ]
      : []
  ]
  const columns: ReadonlyArray<Column<WorkspaceRow>> = [
    {
      id: 'name',
      header: 'Name',
      cell: ({ name, slug, description, archived_at: at }) => (
        <CellLines title={<>{name} {at !== null && <Badge>Archived</Badge>}</>}>
          <code>{slug}</code>{description !== undefined && <span class='cell-note-line'>{description}</span>}
        </CellLines>
      )
    },
    {
      id: 'explorations',
      header: 'Explorations',
      cell: ({ exploration_count: count }) => formatNumber(count),
      align: 'end'
    },
    {
      id: 'members',
      header: 'Members',
      cell: ({ member_count: count }) => formatNumber(count),
      align: 'end',
      hideBelow: 40
    },
    { id: 'role', header: 'Your role', cell: ({ role }) => role === null ? '–' : sentenceCase(role), hideBelow: 54 },
    { id: 'created', header: 'Created', cell: ({ created_at: at }) => <Time value={at} />, hideBelow: 54 },
    {
      id: 'menu',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (workspace) => <Menu label={`Actions for ${workspace.name}`} items={itemsOf(workspace)} />
    }
  ]
  return (
    <>
      <PageHeader
        title='Workspaces'
        description='A workspace holds explorations. Its members see them, and agents see what their people see.'
        actions={admin && (
          <Button variant='primary' icon='plus' onClick={() => setDialog({ kind: 'create' })}>Create workspace</Button>
        )}
      />
      <Card flush>
        <Table
          label='Workspaces'
          columns={columns}
          rows={value?.workspaces}
          rowKey={({ id }) => id}
          error={value === undefined ? error : undefined}
          onRetry={reload}
          isDimmed={({ archived_at: at }) => at !== null}
          empty={(
            <EmptyState icon='workspace' title='No workspaces yet'>
              {admin
                ? 'Create the first one, or import a file that has some.'
                : 'Ask an administrator to add you to one.'}
            </EmptyState>
          )}
        />
      </Card>
      {dialog?.kind === 'create' && <WorkspaceDialog onClose={close} />}
      {dialog?.kind === 'rename' && <WorkspaceDialog workspace={dialog.workspace} onClose={close} />}
      {dialog?.kind === 'archive' && <ArchiveDialog workspace={dialog.workspace} onClose={close} />}
      {dialog?.kind === 'members' && <MembersDialog workspace={dialog.workspace} onClose={close} />}
    </>
  )
}

const ArchiveDialog = (
  { workspace: { id, name, archived_at: at }, onClose }: { workspace: WorkspaceRow, onClose: () => void }
) => {
  const active = at === null
  const { run, pending, error } = useAction(async () => {
    await call('PATCH /workspaces/:id', { params: { id }, body: { archived: active } })
    invalidate('/workspaces', '/explorations')
    showToast(active ? 'Workspace archived.' : 'Workspace restored.')
    onClose()
  })
  return (
    <ConfirmDialog
      title={`${active ? 'Archive' : 'Restore'} ${name}?`} confirm={active ? 'Archive' : 'Restore'} danger={active}
      description={active
        ? 'Its explorations leave all lists and searches, of people and of agents. Nothing is deleted; you can ' +
          'restore it.'
        : 'Its explorations come back into lists and searches.'}
      pending={pending} error={error} onConfirm={() => run()} onClose={onClose}
    />
  )
}

export default Workspaces
