/** The audit log: who did what, filtered by what stands in the address, so that a link leads to what is seen. */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { credentialLabel } from '../../../lib/text/application-name.js'
import { type Answer, pathOf } from '../api/call.js'
import { usePages } from '../api/pages.js'
import { downloadUrl } from '../api/resource.js'
import { Button, LinkButton } from '../components/button.js'
import { CopyButton } from '../components/copy-button.js'
import { Select, TextField, WorkspaceSelect } from '../components/fields.js'
import { Icon } from '../components/icon.js'
import { Card, DescriptionList, PageHeader } from '../components/layout.js'
import { Filters } from '../components/search-field.js'
import { Badge, EmptyState } from '../components/states.js'
import { cellClass, type Column, type RowProps, Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { useQueryState } from '../lib/query-state.js'
import { useSessionState } from '../lib/session.js'
import { sentenceCase } from '../lib/words.js'
import { ACTIONS, type AuditRow, sentenceOf } from './audit/audit-words.js'
import './audit.css'

// Actions and outcomes are more than those to choose from: the details of an event filter by its own.
const FILTERS =
  { action: [], outcome: [], user: [], credential: [], workspace: [], since: [], until: [] } as const

const toneOf = (outcome: string): 'good' | 'bad' | 'warn' =>
  outcome === 'ok' ? 'good' : outcome === 'error' ? 'bad' : 'warn'

type EventCredential = NonNullable<AuditRow['credential']>

const nameOf = ({ id, name = id, ...kinds }: EventCredential): string => credentialLabel({ name, ...kinds })

const AUDIT_COLUMNS: ReadonlyArray<Column<AuditRow>> = [
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

const PAGE_SIZE = 50

const OUTCOMES = [
  { value: '', label: 'Any outcome' },
  { value: 'ok', label: 'OK' },
  { value: 'error', label: 'Error' },
  { value: 'unauthorized', label: 'Unauthorized' },
  { value: 'forbidden', label: 'Forbidden' },
  { value: 'not_found', label: 'Not found' },
  { value: 'rate_limited', label: 'Rate limited' },
  { value: 'invalid_input', label: 'Invalid input' }
]

const DAY_MS = 86_400_000
const DATE = /^\d{4}-\d\d-\d\d$/

/** Midnight of a day (`YYYY-MM-DD`) where the person is, `days` later, as RFC 3339; other values stay as they are. */
const startOfDay = (value: string, days = 0): string => {
  if (!DATE.test(value)) return value
  const date = new Date(`${value}T00:00:00`)
  return Number.isNaN(date.getTime()) ? value : new Date(date.getTime() + days * DAY_MS).toISOString()
}

const Audit = () => {
  const { values, settled, clear, bind, any } = useQueryState(FILTERS)
  const admin = useSessionState()?.session.server_admin
  // A day as `until` includes that day.
  const query = { ...settled, since: startOfDay(settled.since), until: startOfDay(settled.until, 1) }
  const list = usePages(
    pathOf('GET /audit-events', {}, { ...query, limit: PAGE_SIZE }),
    ({ audit_events: events }: Answer<'GET /audit-events'>) => events
  )
  const exportUrl = (format: 'ndjson' | 'csv'): string =>
    downloadUrl(pathOf('GET /audit-events/export', {}, { ...query, format }))
  return (
    <>
      <PageHeader
        title='Audit log'
        description={admin
          ? 'Everything that was done on this server, newest first.'
          : 'What was done with your account and your credentials, newest first.'}
        actions={(
          <>
            <LinkButton href={exportUrl('ndjson')} download='audit.ndjson' icon='download'>NDJSON</LinkButton>
            <LinkButton href={exportUrl('csv')} download='audit.csv' icon='download'>CSV</LinkButton>
          </>
        )}
      />
      <Card flush>
        <Filters>
          <Select label='Action' options={ACTIONS} {...bind('action')} />
          <Select label='Outcome' options={OUTCOMES} {...bind('outcome')} />
          {/* While it is not known whether other people's rows can be asked for, there is room for it. */}
          {admin !== false && <TextField label='Person' placeholder='E-mail' spellcheck={false} {...bind('user')} />}
          <TextField label='Credential' placeholder='Name or id' spellcheck={false} {...bind('credential')} />
          <WorkspaceSelect which={{ archived: 'include', others: 'include' }} {...bind('workspace')} />
          <TextField type='date' label='From' {...bind('since')} value={values.since.slice(0, 10)} />
          <TextField type='date' label='To' {...bind('until')} value={values.until.slice(0, 10)} />
          {any && (
            <div class='audit-filter-actions'>
              <Button variant='ghost' onClick={clear}>Clear</Button>
              <CopyButton text={location.href} label='Copy link to this filter' iconOnly />
            </div>
          )}
        </Filters>
        <Table
          label='Audit events' class='audit-table' {...list} columns={AUDIT_COLUMNS} as={EventRow} expected={12}
          noun='event'
          empty={(
            <EmptyState
              icon='log' title={any ? 'Nothing fits these filters' : 'Nothing happened yet'}
              action={any && <Button onClick={clear}>Clear filters</Button>}
            >
              {!any && 'Calls of agents, sign-ins and changes appear here.'}
            </EmptyState>
          )}
        />
      </Card>
    </>
  )
}

/** The beginning of a key tells which one it is; that of an application changes with each of its tokens. */
const CredentialName = ({ credential }: { credential: EventCredential }) => (
  <>
    {nameOf(credential)}{' '}
    {credential.kind !== 'connection' && credential.hint !== undefined && <code>{credential.hint}…</code>}
  </>
)

const EventRow = ({ row, columns }: RowProps<AuditRow>) => {
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

const Details = ({ event }: { event: AuditRow }) => {
  const { set } = useQueryState(FILTERS)
  const { user, actor, credential, workspace, exploration, client, count } = event
  const filter = (name: keyof typeof FILTERS, value: string, content: ComponentChildren): ComponentChildren => (
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

export default Audit
