/** The audit log: who did what, filtered by what stands in the address, so that a link leads to what is seen. */
import { downloadUrl } from '../api/resource.js'
import { pathOf, type Answer } from '../api/call.js'
import { usePages } from '../api/pages.js'
import { Button, LinkButton } from '../components/button.js'
import { Card, PageHeader } from '../components/layout.js'
import { CopyButton } from '../components/copy.js'
import { Pagination } from '../components/table.js'
import { EmptyState } from '../components/states.js'
import { useQueryState } from '../lib/query-state.js'
import { useSessionState } from '../lib/session.js'
import { AuditFilters, auditQuery, FILTERS } from './audit/audit-filters.js'
import { AuditTable } from './audit/audit-table.js'
import './audit/audit.css'

const PAGE_SIZE = 50

const Audit = () => {
  const { values, settled, set, any } = useQueryState(FILTERS)
  const admin = useSessionState()?.session.server_admin
  const query = auditQuery(settled)
  const list = usePages(
    pathOf('GET /audit-events', {}, { ...query, limit: PAGE_SIZE }),
    ({ audit_events: events }: Answer<'GET /audit-events'>) => events
  )
  const clear = (): void => set(Object.fromEntries(FILTERS.map((name) => [name, ''])))
  const exportUrl = (format: 'ndjson' | 'csv'): string =>
    downloadUrl(pathOf('GET /audit-events/export', {}, { ...query, format }))
  const downloads = (
    <>
      <LinkButton href={exportUrl('ndjson')} download='audit.ndjson' icon='download'>NDJSON</LinkButton>
      <LinkButton href={exportUrl('csv')} download='audit.csv' icon='download'>CSV</LinkButton>
    </>
  )
  return (
    <>
      <PageHeader
        title='Audit log'
        description={admin
          ? 'Everything that was done on this server, newest first.'
          : 'What was done with your account and your credentials, newest first.'}
        actions={downloads}
      />
      <Card flush>
        <AuditFilters values={values} onChange={set} admin={admin ?? true}>
          {any && (
            <div class='audit-filter-actions'>
              <Button variant='ghost' onClick={clear}>Clear</Button>
              <CopyButton text={location.href} label='Copy link to this filter' iconOnly />
            </div>
          )}
        </AuditFilters>
        <AuditTable
          list={list} onFilter={(changes) => set(changes, { push: true })}
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
        {list.error === undefined && <Pagination list={list} noun='event' />}
      </Card>
    </>
  )
}

export default Audit
