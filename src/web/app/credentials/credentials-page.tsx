/** The page of a person's keys or tokens: the list, and what can be done with them. */
import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { usePages } from '../api/pages.js'
import type { Answer } from '../api/call.js'
import { Button } from '../components/button.js'
import { Card, PageHeader, Pagination, Tabs } from '../components/layout.js'
import { Table } from '../components/table.js'
import { SearchField } from '../components/search-field.js'
import { EmptyState } from '../components/states.js'
import { CreateFlow } from './create-flow.js'
import { credentialColumns } from './credential-columns.js'
import type { Credential, CredentialKindInfo } from './credential-kinds.js'
import './credentials.css'

type State = Credential['state']
type CredentialPage = Partial<Answer<'GET /keys'> & Answer<'GET /tokens'>>

const TABS: ReadonlyArray<{ value: State, label: string }> = [
  { value: 'active', label: 'Active' }, { value: 'expired', label: 'Expired' }, { value: 'revoked', label: 'Revoked' }
]
const LIMIT = 200

const rowsOf = (page: CredentialPage): readonly Credential[] => page.keys ?? page.tokens ?? []

interface CredentialsPageProps {
  kind: CredentialKindInfo
  title: string
  description: ComponentChildren
  children?: ComponentChildren
}

export const CredentialsPage = ({ kind, title, description, children }: CredentialsPageProps) => {
  const create = <CreateFlow kind={kind} />
  return (
    <>
      <PageHeader
        title={title} description={description}
        actions={<Button variant='primary' icon='plus' dialog={create}>{`Create ${kind.noun}`}</Button>}
      />
      {children}
      <CredentialsCard kind={kind} create={create} />
    </>
  )
}

const CredentialsCard = ({ kind, create }: Pick<NothingProps, 'kind' | 'create'>) => {
  const [state, setState] = useState<State>('active')
  // Revoked ones are asked for when they are shown: there may be thousands, and the others must not wait for them.
  const list = usePages<CredentialPage, Credential>(
    `${kind.path}?revoked=${state === 'revoked' ? 'include' : 'exclude'}&limit=${LIMIT}`, rowsOf)
  const [filter, setFilter] = useState('')
  const all = list.rows
  const words = filter.trim().toLowerCase()
  const countOf = (counted: State): number | undefined =>
    counted === 'revoked' && state !== 'revoked'
      ? undefined
      : all?.filter((credential) => credential.state === counted).length
  const inState = all?.filter((credential) => credential.state === state)
  // The rows of the list before stay until the next one is there: none of them is revoked.
  const loading = state === 'revoked' && list.pending && inState?.length === 0
  const rows = loading
    ? undefined
    : inState?.filter(({ name, hint }) => name.toLowerCase().includes(words) || hint.toLowerCase().startsWith(words))
  return (
    <Card
      title={kind.title} flush
      actions={
        <>
          <Tabs
            label={`Which ${kind.noun}s`} value={state} onChange={setState}
            tabs={TABS.map((tab) => ({ ...tab, count: countOf(tab.value) }))}
          />
          <SearchField label='Filter' value={filter} onInput={setFilter} />
        </>
      }
    >
      <Table
        label={kind.title} {...list} rows={rows}
        isDimmed={(credential) => credential.state !== 'active'} columns={credentialColumns(kind)}
        empty={
          <Nothing kind={kind} state={state} filtered={words !== '' && (inState?.length ?? 0) > 0} create={create} />
        }
      />
      {list.onMore && <Pagination {...list} noun={kind.noun} />}
    </Card>
  )
}

interface NothingProps { kind: CredentialKindInfo, state: State, filtered: boolean, create: VNode }

const Nothing = ({ kind, state, filtered, create }: NothingProps) => {
  if (filtered) return <EmptyState icon='search' title={`No ${kind.noun} has this name`} />
  if (state !== 'active') return <EmptyState icon={kind.icon} title={`No ${kind.noun} is ${state}`} />
  return (
    <EmptyState
      icon={kind.icon} title={`No ${kind.noun}s yet`}
      action={<Button icon='plus' dialog={create}>{`New ${kind.noun}`}</Button>}
    >
      {kind.empty}
    </EmptyState>
  )
}
