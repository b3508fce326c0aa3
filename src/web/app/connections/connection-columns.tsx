/** The columns of the lists of connected applications. */
import type { Answer } from '../api/call.js'
import { Badge } from '../components/states.js'
import { Button } from '../components/button.js'
import { HostileText } from '../components/hostile-text.js'
import { actionsColumn, CellLines, type Column } from '../components/table.js'
import { Time } from '../components/time.js'
import { applicationName, type ApplicationOrigin } from '../../../lib/text/application-name.js'
import { formatNumber } from '../lib/format.js'
import { SCOPE_LABELS } from '../lib/words.js'

export type Connection = Answer<'GET /connections'>['connections'][number]

/** Draws `claude.ai (Claude)`, or only the name that it gives itself when no host vouches for it: as hostile text. */
export const ApplicationName = ({ name, host }: ApplicationOrigin) => {
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

const workspacesText = ({ workspaces }: Connection): string =>
  workspaces === null ? 'All' : workspaces.map(({ name }) => name).join(', ') || 'none'

const NAME: Column<Connection> = { header: 'Application', cell: Name }
const PERSON: Column<Connection> = {
  header: 'Of',
  cell: ({ user: { name, email } }) => <span title={email}>{name}</span>
}
const FACTS: ReadonlyArray<Column<Connection>> = [
  { header: 'May', hideBelow: 40, cell: ({ scope }) => SCOPE_LABELS[scope] },
  { header: 'Workspaces', hideBelow: 54, cell: workspacesText },
  {
    header: 'Last used',
    hideBelow: 40,
    cell: ({ last_used_at: at, last_used_from: from }) => (
      <div class='cell-lines'><Time value={at} />{from !== null && <span class='cell-note'>from {from}</span>}</div>
    )
  },
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

interface ConnectionColumnsOptions {
  /** Whether they are everybody's: then it is also said whose, and no one but that person changes what one may do. */
  everybody: boolean
  onDisconnect: (connection: Connection) => void
  onScope: (connection: Connection) => void
}

export const connectionColumns = (
  { everybody, onDisconnect, onScope }: ConnectionColumnsOptions
): ReadonlyArray<Column<Connection>> => [
  NAME,
  ...everybody ? [PERSON] : [],
  ...FACTS,
  actionsColumn((connection) => (
    <>
      {!everybody && (
        <Button
          size='s' variant='ghost' aria-label={`${scopeAction(connection)}: ${applicationName(connection.client)}`}
          onClick={() => onScope(connection)}
        >{scopeAction(connection)}
        </Button>
      )}
      <Button
        size='s' variant='ghost' aria-label={`Disconnect ${applicationName(connection.client)}`}
        onClick={() => onDisconnect(connection)}
      >Disconnect
      </Button>
    </>
  ))
]

export const scopeAction = ({ scope }: Connection): string => scope === 'read' ? 'Let it write' : 'Only read'
