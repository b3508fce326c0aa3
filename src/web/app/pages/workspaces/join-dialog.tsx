/** Makes a server administrator a member of workspaces; says first what follows from it. */
import { useAction } from '../../api/action.js'
import { invalidate } from '../../api/resource.js'
import { ConfirmDialog } from '../../components/dialog.js'
import { showToast } from '../../components/toast.js'
import { countOf } from '../../lib/format-number.js'
import { useSessionState } from '../../lib/session.js'
import { setMembership } from '../../lib/set-membership.js'
import type { WorkspaceRow } from '../../api/answers.js'

type Joinable = Pick<WorkspaceRow, 'id' | 'name' | 'exploration_count'>

/** Draws the question for one workspace or several. */
export const JoinDialog = ({ workspaces, onClose }: { workspaces: readonly Joinable[], onClose: () => void }) => {
  const session = useSessionState()?.session
  const [first] = workspaces
  const what = workspaces.length === 1 && first ? first.name : countOf(workspaces.length, 'workspace')
  const explorations = workspaces.reduce((sum, { exploration_count: count }) => sum + count, 0)
  const { run, pending, error } = useAction(async () => {
    try {
      for (const { id } of workspaces) await setMembership(session?.user.id ?? '', id, 'admin')
    } finally {
      invalidate('/workspaces', '/explorations', '/tags', '/session')
    }
    showToast(`Joined ${what}.`)
    onClose()
  })
  return (
    <ConfirmDialog
      title={`Join ${what}?`} confirm='Join' danger={false} pending={pending} error={error} onConfirm={() => run()}
      description={`You become an admin there. You see ${countOf(explorations, 'exploration')} more, and so does ` +
        'each key, token and application of yours that is not limited to other workspaces, from its next call. The ' +
        'audit log records it.'}
      onClose={onClose}
    />
  )
}
