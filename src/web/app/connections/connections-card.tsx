/** Applications that are connected by sign-in: the person's own, or everybody's for server administrators. */
import { useState } from 'preact/hooks'
import { call, pathOf, type Answer } from '../api/call.js'
import { usePages } from '../api/pages.js'
import { LinkButton } from '../components/button.js'
import { Card } from '../components/card.js'
import { DescriptionList } from '../components/description-list.js'
import { ConfirmDialog } from '../components/dialog.js'
import { Pagination } from '../components/pagination.js'
import { EmptyState } from '../components/states.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { formatNumber } from '../lib/format-number.js'
import { ApplicationName, connectionColumns, type Connection } from './connection-columns.js'

const rowsOf = ({ connections }: Answer<'GET /connections'>): readonly Connection[] => connections

/** Draws the table of the person's own connections, or with `all` of everybody's, and the dialog that ends one. */
export const ConnectionsCard = ({ owner }: { owner: 'me' | 'all' }) => {
  const list = usePages(pathOf('GET /connections', {}, { owner, limit: 100 }), rowsOf)
  const [chosen, setChosen] = useState<Connection>()
  return (
    <Card flush>
      <Table
        label='Connected applications'
        rows={list.rows}
        rowKey={({ id }) => id}
        error={list.rows ? undefined : list.error}
        onRetry={list.retry}
        columns={connectionColumns({ everybody: owner === 'all', onDisconnect: setChosen })}
        empty={(
          <EmptyState
            icon='link' title='No application is connected'
            action={owner === 'me' && <LinkButton icon='plug' href='/integrations/connect'>Connect one</LinkButton>}
          >
            An application such as Claude.ai or ChatGPT leads here when someone connects it.
          </EmptyState>
        )}
      />
      <Pagination list={list} noun='application' />
      {chosen && <DisconnectDialog connection={chosen} onClose={() => setChosen(undefined)} />}
    </Card>
  )
}

const DisconnectDialog = ({ connection, onClose }: { connection: Connection, onClose: () => void }) => {
  const { id, client, user, last_used_at: used, last_used_from: from, calls_30d: calls } = connection
  return (
    <ConfirmDialog
      title={<>Disconnect <ApplicationName name={client.name} host={client.host} />?</>}
      description='Its next call is refused, and its open streams end. It can ask to be connected again.'
      confirm='Disconnect' done='Disconnected.' onClose={onClose}
      work={() => call('DELETE /connections/:id', { params: { id } })} changes={['/connections', '/people']}
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
