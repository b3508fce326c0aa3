/** The connected applications of everybody, for server administrators. */
import { PageHeader } from '../components/layout.js'
import { ConnectionsCard } from '../connections/connections-card.js'

const AllConnections = () => (
  <>
    <PageHeader
      title='Connected applications'
      description='Every application that someone has signed in to this server, and who. Disconnect what no one needs.'
    />
    <ConnectionsCard owner='all' />
  </>
)

export default AllConnections
