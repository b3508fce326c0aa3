/** Applications that are connected by sign-in: the person's own, or everybody's for server administrators. */
import { useState } from 'preact/hooks'
import { pathOf, type Answer } from '../api/call.js'
import { usePages } from '../api/pages.js'
import { LinkButton } from '../components/button.js'
import { Card } from '../components/card.js'
import { Pagination } from '../components/pagination.js'
import { EmptyState } from '../components/states.js'
import { Table } from '../components/table.js'
import { connectionColumns, type Connection } from './connection-columns.js'
import { DisconnectDialog } from './disconnect-dialog.js'

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
            An application such as Claude.ai or ChatGPT leads here when somebody connects it.
          </EmptyState>
        )}
      />
      {list.rows !== undefined && list.rows.length > 0 && (
        <Pagination
          shown={list.rows.length}
          noun={list.rows.length === 1 ? 'application' : 'applications'}
          onMore={list.onMore}
          pending={list.morePending}
          error={list.moreError}
        />
      )}
      {chosen && <DisconnectDialog connection={chosen} onClose={() => setChosen(undefined)} />}
    </Card>
  )
}
