/** Events of the audit log in a table, and everything that is known of one. */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { credentialLabel } from '../../../../lib/text/application-name.js'
import { Icon } from '../../components/icon.js'
import { DescriptionList } from '../../components/layout.js'
import { Badge } from '../../components/states.js'
import { cellClass, type Column, type RowProps } from '../../components/table.js'
import { Time } from '../../components/time.js'
import { useQueryState } from '../../lib/query-state.js'
import { sentenceCase } from '../../lib/words.js'
import { sentenceOf, type AuditRow } from './audit-words.js'

export const FILTERS = ['action', 'outcome', 'user', 'credential', 'workspace', 'since', 'until'] as const

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

/** A row that unfolds. */
export const EventRow = ({ row, columns }: RowProps<AuditRow>) => {
  const [open, setOpen] = useState(false)
  const id = useId()
  const toggle = (): void => setOpen(!open)
  return (
    <>
      <tr class='row-unfolds' onClick={toggle}>
        {columns.map((column, at) => at > 0
          ? <td key={column.header} class={cellClass(column)}>{column.cell(row)}</td>
          : (
            <th key={column.header} scope='row'>
              <button
                type='button' class='row-toggle' aria-expanded={open} aria-controls={id}
                onClick={(click) => { click.stopPropagation(); toggle() }}
              >
                <Icon name={open ? 'down' : 'right'} size={14} />
                {column.cell(row)}
              </button>
            </th>
            ))}
      </tr>
      {open && <tr id={id} class='row-details'><td colSpan={columns.length}><Details event={row} /></td></tr>}
    </>
  )
}

/** Some of the values are buttons that filter by them. */
const Details = ({ event }: { event: AuditRow }) => {
  const { set } = useQueryState(FILTERS)
  const { user, actor, credential, workspace, exploration, client, count } = event
  const filter = (name: typeof FILTERS[number], value: string, content: ComponentChildren): ComponentChildren => (
    <button
      type='button' class='audit-filter' title={`Show only events like this: ${name} ${value}`}
      onClick={() => set({ [name]: value }, { push: true })}
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
