/** All explorations that the person may see: the search that agents use, with results while typing, and filters. */
import { useState } from 'preact/hooks'
import { useOperation } from '../api/resource.js'
import { pathOf, type Answer } from '../api/call.js'
import { usePages } from '../api/pages.js'
import { Button, LinkButton } from '../components/button.js'
import { Card, PageHeader, Pagination } from '../components/layout.js'
import { Filters, SearchField } from '../components/search-field.js'
import { EmptyState, Note } from '../components/states.js'
import { type Option, Select, WorkspaceSelect } from '../components/fields.js'
import { Editing, useOpenForm, useWritable } from '../edit/editing.js'
import { useQueryState } from '../lib/query-state.js'
import { useSessionState } from '../lib/session.js'
import { useModule } from '../lib/use-module.js'
import { EXPLORATION_STATUSES, sentenceCase } from '../lib/words.js'
import { ResultList } from './explorations/result-list.js'

const PAGE_SIZE = 50
const STATUSES: ReadonlyArray<Option<string>> = [
  { value: '', label: 'Any status' },
  ...EXPLORATION_STATUSES.map((value) => ({ value, label: sentenceCase(value) }))
]
const ORDERS = [{ value: '', label: 'Newest first' }, { value: 'title', label: 'By title' }]
const FILTERS = { q: [], workspace: [], status: STATUSES, tag: [], sort: ORDERS } as const

const Explorations = () => {
  const { values, settled, set, bind } = useQueryState(FILTERS)
  const typed = settled.q.trim()
  const open = useOpenForm()
  const list = usePages(
    pathOf('GET /explorations', {}, { ...values, q: typed, limit: PAGE_SIZE }),
    ({ explorations }: Answer<'GET /explorations'>) => explorations
  )
  const { rows, first, pending } = list
  const filtered = values.workspace !== '' || values.status !== '' || values.tag !== ''
  const clear = (): void => set({ q: '', workspace: '', status: '', tag: '' })
  return (
    <>
      <PageHeader
        title='Explorations' description='What your teams explore and plan, searched as agents search it.'
        actions={useWritable().length > 0 && (
          <Button icon='plus' variant='primary' onClick={() => open('new')}>New exploration</Button>
        )}
      />
      <Editing mayEdit />
      <Newcomer />
      <Card flush>
        <Filters>
          <SearchField
            large label='Search explorations' {...bind('q')}
            pending={pending && typed !== '' && rows !== undefined}
          />
          <FilterSelects bind={bind} searched={typed !== ''} />
        </Filters>
        {first?.notice !== undefined && <div class='list-note'><Note>{first.notice}</Note></div>}
        {rows?.length === 0
          ? <NothingFound text={typed} filtered={filtered} onClear={clear} />
          : <ResultList list={list} onTag={(tag) => set({ tag }, { push: true })} />}
        <Pagination {...list} noun='exploration' total={useTotal(typed, values)} />
      </Card>
    </>
  )
}

/** How many explorations fit, where the workspaces or the tags say it. */
const useTotal = (
  text: string, { workspace, status, tag }: Record<'workspace' | 'status' | 'tag', string>
): number | undefined => {
  const workspaces = useOperation('GET /workspaces').value?.workspaces
  if (text !== '' || status !== '' || tag !== '') return undefined
  return workspaces?.filter(({ slug }) => workspace === '' || slug === workspace)
    .reduce((sum, { exploration_count: count }) => sum + count, 0)
}

const STEPS_HIDDEN = 'exploration.first-steps'

/** The first steps, for who has not done them: their code is loaded for them alone. */
const Newcomer = () => {
  const [shown, setShown] = useState(() => localStorage.getItem(STEPS_HIDDEN) === null)
  const steps = useModule(() => import('./explorations/first-steps.js'), shown)
  // Room for them, so that nothing moves when they come.
  return shown
    ? (
      <div class='newcomer'>
        {steps && (
          <steps.FirstSteps
            onDone={() => localStorage.setItem(STEPS_HIDDEN, 'hidden')} onHide={() => setShown(false)}
          />
        )}
      </div>
      )
    : null
}

interface FilterSelectsProps {
  bind: ReturnType<typeof useQueryState<typeof FILTERS>>['bind']
  /** Whether there is a question: what fits it best comes first then. */
  searched: boolean
}

const FilterSelects = ({ bind, searched }: FilterSelectsProps) => {
  const { value: workspace } = bind('workspace')
  const tags = useOperation('GET /tags', { query: workspace === '' ? {} : { workspace } }).value?.tags ?? []
  const sort = bind('sort')
  return (
    <>
      <WorkspaceSelect hideLabel {...bind('workspace')} />
      <Select label='Status' hideLabel options={STATUSES} {...bind('status')} />
      <Select
        label='Tag' hideLabel {...bind('tag')}
        options={[
          { value: '', label: 'Any tag' }, ...tags.map(({ tag, count }) => ({ value: tag, label: `${tag} (${count})` }))
        ]}
      />
      <Select
        label='Order' hideLabel {...sort} disabled={searched}
        options={searched ? [{ value: sort.value, label: 'Best first' }] : ORDERS}
      />
    </>
  )
}

const NothingFound = ({ text, filtered, onClear }: { text: string, filtered: boolean, onClear: () => void }) => {
  const admin = useSessionState()?.session.server_admin ?? false
  const { value } = useOperation('GET /workspaces', admin ? { query: { others: 'include' } } : null)
  const joinable = value?.workspaces.some(({ role, exploration_count: count }) => role === null && count > 0) ?? false
  if (text !== '' || filtered) {
    return (
      <EmptyState
        icon='search' title={text === '' ? 'No exploration has these properties' : `Nothing fits “${text}”`}
        action={<Button onClick={onClear}>Clear search and filters</Button>}
      >
        {filtered
          ? 'Try fewer filters, or other words.'
          : 'Try other or fewer words; the search also finds related meanings.'}
      </EmptyState>
    )
  }
  if (joinable) {
    return (
      <EmptyState
        icon='workspace' title='You are a member of no workspace that has explorations'
        action={<LinkButton href='/admin/workspaces' variant='primary'>Choose workspaces to join</LinkButton>}
      >
        Your lists and your agents show what is in your workspaces.
      </EmptyState>
    )
  }
  return admin
    ? (
      <EmptyState
        icon='explore' title='No explorations yet'
        action={<LinkButton href='/admin/status' variant='primary'>Import a file</LinkButton>}
      >
        Import what your teams planned, or let <code>exploration-mcp sync</code> follow a folder of plans.
      </EmptyState>
      )
    : (
      <EmptyState icon='explore' title='No explorations yet'>
        You see the explorations of workspaces that you are a member of. Ask an administrator to add you to one.
      </EmptyState>
      )
}

export default Explorations
