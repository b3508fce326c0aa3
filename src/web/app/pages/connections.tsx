/** The applications that the person has allowed to read what they see, or to write too; or those of everybody. */
import { useLocation } from 'preact-iso'
import { PageHeader } from '../components/layout.js'
import { ConnectionsCard } from '../connections/connections-card.js'

const OWN = 'Applications that you have signed in to this server. Each reads what you see, or the workspaces that ' +
  'you chose, until you disconnect it; it writes only if you let it.'
const ALL = 'Every application that someone has signed in to this server, and who. Disconnect what no one needs.'

const Connections = () => {
  const all = useLocation().path.endsWith('/admin/connections')
  return (
    <>
      <PageHeader title='Connected applications' description={all ? ALL : OWN} />
      <ConnectionsCard owner={all ? 'all' : 'me'} />
    </>
  )
}

export default Connections
