/** Asks before an application is disconnected, and says whether it is in use. */
import { useAction } from '../api/action.js'
import { call } from '../api/call.js'
import { invalidate } from '../api/resource.js'
import { DescriptionList } from '../components/description-list.js'
import { ConfirmDialog } from '../components/dialog.js'
import { Time } from '../components/time.js'
import { showToast } from '../components/toast.js'
import { formatNumber } from '../lib/format-number.js'
import { ApplicationName } from './application-name.js'
import type { Connection } from './connection-columns.js'

/** Draws the dialog. It ends the connection when the person confirms, and closes then. */
export const DisconnectDialog = ({ connection, onClose }: { connection: Connection, onClose: () => void }) => {
  const { id, client, user, last_used_at: used, last_used_from: from, calls_30d: calls } = connection
  const disconnection = useAction(async () => {
    await call('DELETE /connections/:id', { params: { id } })
    invalidate('/connections', '/people')
    showToast('Disconnected.')
    onClose()
  })
  return (
    <ConfirmDialog
      title={<>Disconnect <ApplicationName name={client.name} host={client.host} />?</>}
      confirm='Disconnect'
      pending={disconnection.pending}
      error={disconnection.error}
      onConfirm={() => disconnection.run()} onClose={onClose}
      description='Its next call is refused, and its open streams end. It can ask to be connected again.'
    >
      <DescriptionList
        items={[
          ['Of', user.name],
          ['Last used', <span key='used'><Time value={used} />{from !== null && <>, from {from}</>}</span>],
          ['Calls', `${formatNumber(calls)} in 30 days`]
        ]}
      />
    </ConfirmDialog>
  )
}
