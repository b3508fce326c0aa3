/** The audit log: who did what, filtered by what stands in the address, so that a link leads to what is seen. */
import { pathOf, type Answer } from '../api/call.js'
import { usePages } from '../api/pages.js'
import { downloadUrl } from '../api/resource.js'
import { Button, LinkButton } from '../components/button.js'
import { CopyButton } from '../components/copy-button.js'
import { Select, TextField, WorkspaceSelect } from '../components/fields.js'
import { Card, PageHeader } from '../components/layout.js'
import { Filters } from '../components/search-field.js'
import { EmptyState } from '../components/states.js'
import { Table } from '../components/table.js'
import { useQueryState } from '../lib/query-state.js'
import { useSessionState } from '../lib/session.js'
import { AUDIT_COLUMNS, EventRow, FILTERS } from './audit/audit-details.js'
import { ACTIONS } from './audit/audit-words.js'
import './audit.css'

const PAGE_SIZE = 50

type FilterValues = Record<typeof FILTERS[number], string>

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

/** Returns the filters that are set; a day as `until` includes that day. */
const auditQuery = ({ since, until, ...others }: FilterValues): Partial<FilterValues> => {
  return {
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== '')),
    ...since !== '' && { since: startOfDay(since) },
    ...until !== '' && { until: startOfDay(until, 1) }
  }
}

const Audit = () => {
  const { values, settled, set, bind, any } = useQueryState(FILTERS)
  const admin = useSessionState()?.session.server_admin
  const query = auditQuery(settled)
  const list = usePages(
    pathOf('GET /audit-events', {}, { ...query, limit: PAGE_SIZE }),
    ({ audit_events: events }: Answer<'GET /audit-events'>) => events
  )
  const clear = (): void => set(Object.fromEntries(FILTERS.map((name) => [name, ''])))
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
          empty={any
            ? (
              <EmptyState
                icon='log' title='Nothing fits these filters' action={<Button onClick={clear}>Clear filters</Button>}
              />
              )
            : (
              <EmptyState icon='log' title='Nothing happened yet'>
                Calls of agents, sign-ins and changes appear here.
              </EmptyState>
              )}
        />
      </Card>
    </>
  )
}

export default Audit
