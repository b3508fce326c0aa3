/** Applications that are connected by sign-in: the person's own, or everybody's for server administrators. */
import { useState } from 'preact/hooks'
import { call, pathOf, type Answer } from '../api/call.js'
import { usePages } from '../api/pages.js'
import { LinkButton } from '../components/button.js'
import { Card, DescriptionList } from '../components/layout.js'
import { ConfirmDialog } from '../components/dialog.js'
import { Table } from '../components/table.js'
import { EmptyState } from '../components/states.js'
import { Time } from '../components/time.js'
import { formatNumber } from '../lib/format.js'
import { ApplicationName, connectionColumns, scopeAction, type Connection } from './connection-columns.js'

const rowsOf = ({ connections }: Answer<'GET /connections'>): readonly Connection[] => connections

/** Draws the table and the dialogs that end a connection or change what it may do. */
export const ConnectionsCard = ({ owner }: { owner: 'me' | 'all' }) => {
  const list = usePages(pathOf('GET /connections', {}, { owner, limit: 100 }), rowsOf)
  const [chosen, setChosen] = useState<Connection>()
  const [scoped, setScoped] = useState<Connection>()
  return (
    <Card flush>
      <Table
        label='Connected applications' noun='application' {...list}
        columns={connectionColumns({ everybody: owner === 'all', onDisconnect: setChosen, onScope: setScoped })}
        empty={(
          <EmptyState
            icon='link' title='No application is connected'
            action={owner === 'me' && <LinkButton icon='plug' href='/integrations/connect'>Connect one</LinkButton>}
          >
            An application such as Claude.ai or ChatGPT leads here when someone connects it.
          </EmptyState>
        )}
      />
      {scoped && <ScopeDialog connection={scoped} onClose={() => setScoped(undefined)} />}
      {chosen && <DisconnectDialog connection={chosen} onClose={() => setChosen(undefined)} />}
    </Card>
  )
}

const ScopeDialog = ({ connection, onClose }: { connection: Connection, onClose: () => void }) => {
  const { id, client, scope } = connection
  const name = <ApplicationName name={client.name} host={client.host} />
  const write = scope === 'read'
  return (
    <ConfirmDialog
      title={write ? <>Let {name} write?</> : <>Let {name} only read?</>} danger={false}
      description={write
        ? 'It claims plan items, reports progress, notes, asks and proposes, where you are an editor and the ' +
          'workspace lets agents write. It counts from its next call.'
        : 'It counts from its next call. What it holds ends at once; its proposals stay, for a person to decide.'}
      confirm={scopeAction(connection)} done={write ? 'It may write.' : 'It only reads.'} onClose={onClose}
      work={() => call('PATCH /connections/:id', { params: { id }, body: { write } })} changes={['/connections']}
    />
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
        items={{
          Of: user.name,
          'Last used': <span><Time value={used} />{from !== null && <>, from {from}</>}</span>,
          Calls: `${formatNumber(calls)} in 30 days`
        }}
      />
    </ConfirmDialog>
  )
}
