/** People and service accounts: who is there, what they may do, who is invited. */
import { pathOf, type Answer } from '../api/call.js'
import { usePages } from '../api/pages.js'
import { useOperation } from '../api/resource.js'
import { Button } from '../components/button.js'
import { Card, PageHeader, Tabs } from '../components/layout.js'
import { Filters, SearchField } from '../components/search-field.js'
import { useQueryState } from '../lib/query-state.js'
import { Invitations, InviteDialog } from './people/invitations.js'
import { PeopleTable } from './people/people-table.js'
import { ServiceAccountDialog, ServiceAccounts } from './people/service-accounts.js'
import './people/people.css'

const VIEWS = [
  { value: 'people', label: 'People' },
  { value: 'invitations', label: 'Invitations' },
  { value: 'service-accounts', label: 'Service accounts' }
] as const

const People = () => {
  const { values, set } = useQueryState({ view: VIEWS, q: [] })
  const { view } = values
  return (
    <>
      <PageHeader
        title='People'
        description={'Who may sign in, which workspaces they are members of, and the service accounts that run ' +
          'without a person.'}
        actions={view === 'service-accounts'
          ? <Button variant='primary' icon='plus' dialog={<ServiceAccountDialog />}>Create service account</Button>
          : <Button variant='primary' icon='plus' dialog={<InviteDialog />}>Invite</Button>}
      />
      <Tabs label='Show' tabs={VIEWS} value={view} onChange={(next) => set({ view: next, q: '' }, { push: true })} />
      {view === 'people' && <PeopleList />}
      {view === 'invitations' && <Invitations />}
      {view === 'service-accounts' && <ServiceAccounts />}
    </>
  )
}

const PeopleList = () => {
  const { settled, bind } = useQueryState({ q: [] })
  const typed = settled.q.trim()
  const total = useOperation('GET /admin/status').value?.records.people
  const list =
    usePages(pathOf('GET /people', {}, { limit: 50, q: typed }), ({ people }: Answer<'GET /people'>) => people)
  return (
    <Card flush>
      <Filters>
        <SearchField
          label='Search people' {...bind('q')} pending={list.pending && typed !== '' && list.rows !== undefined}
        />
      </Filters>
      <PeopleTable list={list} searched={typed !== ''} total={typed === '' ? total : undefined} />
    </Card>
  )
}

export default People
