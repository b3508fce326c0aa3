/** The applications that the person has allowed to read what they see, or to write too. */
import { PageHeader } from '../components/layout.js'
import { ConnectionsCard } from '../connections/connections-card.js'

const Connections = () => (
  <>
    <PageHeader
      title='Connected applications'
      description={'Applications that you have signed in to this server. Each reads what you see, or the workspaces ' +
        'that you chose, until you disconnect it; it writes only if you let it.'}
    />
    <ConnectionsCard owner='me' />
  </>
)

export default Connections
