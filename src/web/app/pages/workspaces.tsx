/** Workspaces: create, join, rename, archive, who is a member, and what agents may do. */
import { useState } from 'preact/hooks'
import type { WorkspaceRow } from '../api/answers.js'
import { call } from '../api/call.js'
import { useOperation } from '../api/resource.js'
import { Button } from '../components/button.js'
import { Card, PageHeader } from '../components/layout.js'
import { ConfirmDialog } from '../components/dialog.js'
import { Filters, SearchField } from '../components/search-field.js'
import { EmptyState } from '../components/states.js'
import { useSessionState } from '../lib/session.js'
import { AgentsDialog } from './workspaces/agents-dialog.js'
import { JoinDialog } from './workspaces/join-dialog.js'
import { MembersDialog } from './workspaces/members-dialog.js'
import { WorkspaceDialog } from './workspaces/workspace-dialog.js'
import { WorkspaceTable, type WorkspaceAction } from './workspaces/workspace-table.js'
import './workspaces/workspaces.css'

type WorkspaceDialogState =
  | { kind: 'create' }
  | { kind: 'rename' | 'archive' | 'members' | 'agents', workspace: WorkspaceRow }
  | { kind: 'join', workspaces: readonly WorkspaceRow[] }

const Workspaces = () => {
  const admin = useSessionState()?.session.server_admin ?? false
  const { value, error, retry } = useOperation(
    'GET /workspaces', { query: { archived: 'include', others: 'include' } }
  )
  const [dialog, setDialog] = useState<WorkspaceDialogState>()
  const [filter, setFilter] = useState('')
  const words = filter.trim().toLowerCase()
  const fits = ({ name, slug, description = '' }: WorkspaceRow): boolean =>
    [name, slug, description].some((text) => text.toLowerCase().includes(words))
  const close = (): void => setDialog(undefined)
  const own = value?.workspaces.filter((workspace) => workspace.role !== null && fits(workspace))
  const others = value?.workspaces.filter((workspace) => workspace.role === null && fits(workspace)) ?? []
  const joinable = others.filter(({ archived_at: at }) => at === null)
  const onAction = (action: WorkspaceAction, workspace: WorkspaceRow): void =>
    setDialog(action === 'join' ? { kind: 'join', workspaces: [workspace] } : { kind: action, workspace })
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
        <Filters><SearchField label='Search workspaces' value={filter} onInput={setFilter} /></Filters>
        <WorkspaceTable
          label='Workspaces' admin={admin} rows={own} onAction={onAction}
          error={value === undefined ? error : undefined} onRetry={retry}
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
          actions={joinable.length > 1 && (
            <Button onClick={() => setDialog({ kind: 'join', workspaces: joinable })}>
              {`Join all ${joinable.length}`}
            </Button>
          )}
        >
          <WorkspaceTable
            label='Workspaces you are not a member of' joinable admin={admin} rows={others} onAction={onAction}
          />
        </Card>
      )}
      {dialog?.kind === 'create' && <WorkspaceDialog onClose={close} />}
      {dialog?.kind === 'rename' && <WorkspaceDialog workspace={dialog.workspace} onClose={close} />}
      {dialog?.kind === 'archive' && <ArchiveDialog workspace={dialog.workspace} onClose={close} />}
      {dialog?.kind === 'members' && <MembersDialog workspace={dialog.workspace} onClose={close} />}
      {dialog?.kind === 'agents' && <AgentsDialog workspace={dialog.workspace} onClose={close} />}
      {dialog?.kind === 'join' && <JoinDialog workspaces={dialog.workspaces} onClose={close} />}
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

const ArchiveDialog = (
  { workspace: { id, name, archived_at: at }, onClose }: { workspace: WorkspaceRow, onClose: () => void }
) => {
  const active = at === null
  return (
    <ConfirmDialog
      title={`${active ? 'Archive' : 'Restore'} ${name}?`} confirm={active ? 'Archive' : 'Restore'} danger={active}
      description={active
        ? 'Its explorations leave all lists and searches, of people and of agents. Nothing is deleted; you can ' +
          'restore it.'
        : 'Its explorations come back into lists and searches.'}
      work={() => call('PATCH /workspaces/:id', { params: { id }, body: { archived: active } })}
      changes={['/workspaces', '/explorations']} done={active ? 'Workspace archived.' : 'Workspace restored.'}
      onClose={onClose}
    />
  )
}

export default Workspaces
