/** Events of the audit log in a table, and everything that is known of one. */
import type { ComponentChildren } from 'preact'
import { credentialLabel } from '../../../../lib/text/application-name.js'
import { DescriptionList } from '../../components/layout.js'
import { Badge } from '../../components/states.js'
import type { Column } from '../../components/table.js'
import { Time } from '../../components/time.js'
import { sentenceCase } from '../../lib/words.js'
import { sentenceOf, type AuditRow } from './audit-words.js'

const toneOf = (outcome: string): 'good' | 'bad' | 'warn' =>
  outcome === 'ok' ? 'good' : outcome === 'error' ? 'bad' : 'warn'

type EventCredential = NonNullable<AuditRow['credential']>

const nameOf = ({ id, name = id, ...kinds }: EventCredential): string => credentialLabel({ name, ...kinds })

export const AUDIT_COLUMNS: ReadonlyArray<Column<AuditRow>> = [
  {
    header: 'What',
    cell: (event) => (
      <span class='cell-lines'>
        <span>{sentenceOf(event)}</span>
        <span class='cell-note only-below-40'><Time value={event.at} /></span>
      </span>
    )
  },
  {
    header: 'Outcome',
    cell: ({ outcome }) => <Badge tone={toneOf(outcome)}>{outcome === 'ok' ? 'OK' : sentenceCase(outcome)}</Badge>
  },
  {
    header: 'With',
    hideBelow: 54,
    cell: ({ credential }) => credential?.name !== undefined && <span class='audit-with'>{nameOf(credential)}</span>
  },
  { header: 'When', hideBelow: 40, cell: ({ at }) => <Time value={at} /> }
]

/** The beginning of a key tells which one it is; that of an application changes with each of its tokens. */
const CredentialName = ({ credential }: { credential: EventCredential }) => (
  <>
    {nameOf(credential)}{' '}
    {credential.kind !== 'connection' && credential.hint !== undefined && <code>{credential.hint}…</code>}
  </>
)

interface AuditDetailsProps { event: AuditRow, onFilter: (changes: Record<string, string>) => void }

/** Some of the values are buttons that filter by them. */
export const AuditDetails = ({ event, onFilter }: AuditDetailsProps) => {
  const { user, actor, credential, workspace, exploration, client, count } = event
  const filter = (name: string, value: string, content: ComponentChildren): ComponentChildren => (
    <button
      type='button' class='audit-filter' title={`Show only events like this: ${name} ${value}`}
      onClick={() => onFilter({ [name]: value })}
    >
      {content}
    </button>
  )
  return (
    <DescriptionList
      items={{
        Time: <Time value={event.at} format='exact' />,
        Action: filter('action', event.action, <code>{event.action}</code>),
        Outcome: filter('outcome', event.outcome, event.outcome),
        Person: user && filter('user', user.id, user.email ?? user.id),
        'Done by': actor !== user?.email && actor,
        Credential: credential &&
          filter('credential', credential.id, <CredentialName credential={credential} />),
        Workspace: workspace &&
          filter('workspace', workspace.slug ?? workspace.id, workspace.name ?? workspace.id),
        Exploration: exploration && (exploration.title === undefined
          ? <code>{exploration.id}</code>
          : <a href={`/explorations/${exploration.id}`}>{exploration.title}</a>),
        Client: client !== undefined && <>{client} <span class='cell-note'>as it calls itself</span></>,
        Address: <code>{event.remote_address}</code>,
        Took: `${Math.round(event.duration_ms).toLocaleString('en')} ms`,
        Times: count,
        'Reported by': event.reported_by,
        Request: <code>{event.request_id}</code>,
        Event: <code>{event.id}</code>
      }}
    />
  )
}
