/** What stands instead of an exploration that could not be loaded. */
import { LinkButton } from '../../components/button.js'
import { ErrorState, type ErrorStateProps } from '../../components/states.js'
import { useSessionState } from '../../lib/session.js'

/** Says why, in the server's words, which name whom to ask; a server administrator may join the workspace. */
export const Unavailable = (props: Pick<ErrorStateProps, 'error' | 'retry' | 'pending'>) => {
  const admin = useSessionState()?.session.server_admin ?? false
  return (
    <ErrorState
      {...props}
      action={!props.retry && admin && <LinkButton href='/admin/workspaces'>Workspaces that you can join</LinkButton>}
    />
  )
}
