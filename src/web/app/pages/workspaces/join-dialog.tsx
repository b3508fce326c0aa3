/** Makes a server administrator a member of workspaces; says first what follows from it. */
import { ConfirmDialog } from '../../components/dialog.js'
import { countOf } from '../../lib/format-number.js'
import { useSessionState } from '../../lib/session.js'
import { setMembership } from '../../lib/set-membership.js'
import type { WorkspaceRow } from '../../api/answers.js'

type Joinable = Pick<WorkspaceRow, 'id' | 'name' | 'exploration_count'>

export const JoinDialog = ({ workspaces, onClose }: { workspaces: readonly Joinable[], onClose: () => void }) => {
  const session = useSessionState()?.session
  const [first] = workspaces
  const what = workspaces.length === 1 && first ? first.name : countOf(workspaces.length, 'workspace')
  const explorations = workspaces.reduce((sum, { exploration_count: count }) => sum + count, 0)
  const join = async (): Promise<void> => {
    for (const { id } of workspaces) await setMembership(session?.user.id ?? '', id, 'admin')
  }
  return (
    <ConfirmDialog
      title={`Join ${what}?`} confirm='Join' danger={false} done={`Joined ${what}.`}
      work={join} changes={['/workspaces', '/explorations', '/tags', '/session']}
      description={`You become an admin there. You see ${countOf(explorations, 'exploration')} more, and so does ` +
        'each key, token and application of yours that is not limited to other workspaces, from its next call. The ' +
        'audit log records it.'}
      onClose={onClose}
    />
  )
}
