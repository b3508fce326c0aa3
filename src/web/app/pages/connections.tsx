/** The applications that the person has allowed to read what they see, or to write too; or those of everybody. */
import { useLocation } from 'preact-iso'
import { applicationName, type ApplicationOrigin } from '../../../lib/text/application-name.js'
import { call, pathOf, type Answer } from '../api/call.js'
import { usePages } from '../api/pages.js'
import { Button, LinkButton } from '../components/button.js'
import { ConfirmDialog } from '../components/dialog.js'
import { HostileText } from '../components/hostile-text.js'
import { Card, DescriptionList, PageHeader } from '../components/layout.js'
import { Badge, EmptyState } from '../components/states.js'
import { actionsColumn, CellLines, Table, type Column } from '../components/table.js'
import { Time } from '../components/time.js'
import { LAST_USED, WORKSPACES } from '../credentials/access-columns.js'
import { formatNumber } from '../lib/format.js'
import { SCOPE_LABELS } from '../lib/words.js'

type Connection = Answer<'GET /connections'>['connections'][number]

/** Draws `claude.ai (Claude)`, or only the name that it gives itself when no host vouches for it: as hostile text. */
const ApplicationName = ({ name, host }: ApplicationOrigin) => {
  const ownName = <HostileText text={name} />
  return host == null ? ownName : <>{host} ({ownName})</>
}

const UNVOUCHED = 'It registered itself: no one vouches for its name'

const LINES = 'Each goes on by its own refreshes: processes of the application, or a copy of its tokens. ' +
  'Disconnect it if it runs once only'

const Name = (
  { client: { name, host, kind }, created_at: created, last_used_at: used, token_lines: lines }: Connection
) => (
  <CellLines title={<ApplicationName name={name} host={host} />}>
    {kind === 'registered' && <><Badge tone='warn' title={UNVOUCHED}>No one vouches</Badge> </>}
    {lines > 1 && <><Badge tone='info' title={LINES}>{lines} lines of tokens</Badge> </>}
    {kind === 'preregistered' && 'registered by an administrator · '}
    <span>since <Time value={created} format='date' /></span>
    <span class='only-below-40'>used&nbsp;<Time value={used} /></span>
  </CellLines>
)

const PERSON: Column<Connection> = {
  header: 'Of',
  cell: ({ user: { name, email } }) => <span title={email}>{name}</span>
}
const FACTS: ReadonlyArray<Column<Connection>> = [
  { header: 'May', hideBelow: 40, cell: ({ scope }) => SCOPE_LABELS[scope] },
  WORKSPACES,
  LAST_USED,
  {
    header: 'Calls in 30 days',
    align: 'end',
    hideBelow: 54,
    cell: ({ id, calls_30d: calls }) => <a href={`/audit?credential=${id}`}>{formatNumber(calls)}</a>
  },
  {
    header: 'Ends unless used',
    hideBelow: 54,
    cell: ({ expires_at: at }) => <Time value={at} format='date' />
  }
]

/** Of those of everybody it is also said whose they are, and only that person changes what one may do. */
const connectionColumns = (everybody: boolean): ReadonlyArray<Column<Connection>> => [
  { header: 'Application', cell: Name },
  ...everybody ? [PERSON] : [],
  ...FACTS,
  actionsColumn((connection) => (
    <>
      {!everybody && (
        <Button
          size='s' variant='ghost' aria-label={`${scopeAction(connection)}: ${applicationName(connection.client)}`}
          dialog={<ScopeDialog connection={connection} />}
        >{scopeAction(connection)}
        </Button>
      )}
      <Button
        size='s' variant='ghost' aria-label={`Disconnect ${applicationName(connection.client)}`}
        dialog={<DisconnectDialog connection={connection} />}
      >Disconnect
      </Button>
    </>
  ))
]

const scopeAction = ({ scope }: Connection): string => scope === 'read' ? 'Let it write' : 'Only read'

const ScopeDialog = ({ connection }: { connection: Connection }) => {
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
      confirm={scopeAction(connection)} done={write ? 'It may write.' : 'It only reads.'}
      work={() => call('PATCH /connections/:id', { params: { id }, body: { write } })} changes={['/connections']}
    />
  )
}

const DisconnectDialog = ({ connection }: { connection: Connection }) => {
  const { id, client, user, last_used_at: used, last_used_from: from, calls_30d: calls } = connection
  return (
    <ConfirmDialog
      title={<>Disconnect <ApplicationName name={client.name} host={client.host} />?</>}
      description='Its next call is refused, and its open streams end. It can ask to be connected again.'
      confirm='Disconnect' done='Disconnected.'
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

const OWN = 'Applications that you have signed in to this server. Each reads what you see, or the workspaces that ' +
  'you chose, until you disconnect it; it writes only if you let it.'
const ALL = 'Every application that someone has signed in to this server, and who. Disconnect what no one needs.'

const Connections = () => {
  const all = useLocation().path.endsWith('/admin/connections')
  const list = usePages(
    pathOf('GET /connections', {}, { owner: all ? 'all' : 'me', limit: 100 }),
    ({ connections }: Answer<'GET /connections'>) => connections
  )
  return (
    <>
      <PageHeader title='Connected applications' description={all ? ALL : OWN} />
      <Card flush>
        <Table
          label='Connected applications' noun='application' {...list} columns={connectionColumns(all)}
          empty={(
            <EmptyState
              icon='link' title='No application is connected'
              action={!all && <LinkButton icon='plug' href='/integrations/connect'>Connect one</LinkButton>}
            >
              An application such as Claude.ai or ChatGPT leads here when someone connects it.
            </EmptyState>
          )}
        />
      </Card>
    </>
  )
}

export default Connections
