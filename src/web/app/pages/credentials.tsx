/** All credentials of the server with their last use: find those that no one uses, and revoke them. */
import { useState } from 'preact/hooks'
import { call, pathOf, type Answer, type Query } from '../api/call.js'
import { usePages } from '../api/pages.js'
import { Badge, EmptyState } from '../components/states.js'
import { Button } from '../components/button.js'
import { Card, PageHeader } from '../components/layout.js'
import { ConfirmDialog } from '../components/dialog.js'
import { Filters } from '../components/search-field.js'
import { actionsColumn, CellLines, type Column, Pagination, Table } from '../components/table.js'
import { Select } from '../components/fields.js'
import { Time } from '../components/time.js'
import { ScopeBadge } from '../credentials/credential-columns.js'
import { useQueryState } from '../lib/query-state.js'
import { KIND_LABELS } from '../lib/words.js'

type AdminCredential = Answer<'GET /admin/credentials'>['credentials'][number]

const UNUSED = [
  { value: '', label: 'Any last use' },
  { value: '7', label: 'Unused for 7 days' },
  { value: '30', label: 'Unused for 30 days' },
  { value: '90', label: 'Unused for 90 days' },
  { value: '365', label: 'Unused for a year' }
]
const KINDS = [
  { value: '', label: 'Every kind' },
  { value: 'api_key', label: 'API keys' },
  { value: 'personal_access_token', label: 'Personal tokens' },
  { value: 'connection', label: 'Connected applications' }
]
const CREDENTIAL_KINDS = ['api_key', 'personal_access_token', 'connection'] as const
const REVOKED = [{ value: '', label: 'In force or expired' }, { value: 'include', label: 'Also revoked ones' }]

const Credentials = () => {
  const { values, set, any } = useQueryState(['unused', 'kind', 'revoked', 'user'])
  const [revoked, setRevoked] = useState<AdminCredential>()
  const unused = Number(values.unused)
  const kind = CREDENTIAL_KINDS.find((each) => each === values.kind)
  const query: Query<'GET /admin/credentials'> = {
    limit: 50,
    revoked: values.revoked === 'include' ? 'include' : 'exclude',
    ...Number.isInteger(unused) && unused > 0 && { unused_days: unused },
    ...kind !== undefined && { kind },
    ...values.user !== '' && { user: values.user }
  }
  const list = usePages(
    pathOf('GET /admin/credentials', {}, query), ({ credentials }: Answer<'GET /admin/credentials'>) => credentials
  )
  const clear = (): void => set({ unused: '', kind: '', revoked: '', user: '' })
  const columns: ReadonlyArray<Column<AdminCredential>> = [
    {
      id: 'name',
      header: 'Name',
      cell: ({ name, hint, kind, state, user }) => (
        <CellLines title={<>{name} <StateBadge state={state} /></>}>
          {kind !== 'connection' && <code>{hint}…</code>} {KIND_LABELS[kind]}
          <span class='only-below-40'>of {user.name}</span>
        </CellLines>
      )
    },
    {
      id: 'user',
      header: 'Of',
      hideBelow: 40,
      width: '8rem',
      cell: ({ user }) => <a href={`/admin/credentials?user=${user.id}`} title={user.email}>{user.name}</a>
    },
    { id: 'scope', header: 'Scope', cell: ({ scope }) => <ScopeBadge scope={scope} />, hideBelow: 40 },
    {
      id: 'workspaces',
      header: 'Workspaces',
      cell: ({ workspaces }) => workspaces === null
        ? 'All'
        : workspaces.map(({ name }) => name).join(', ') || 'none',
      hideBelow: 54
    },
    {
      id: 'used',
      header: 'Last used',
      cell: ({ last_used_at: at, last_used_from: from }) => (
        <span title={from === null ? undefined : `from ${from}`}><Time value={at} /></span>
      )
    },
    { id: 'created', header: 'Created', cell: ({ created_at: at }) => <Time value={at} />, hideBelow: 54 },
    { id: 'expires', header: 'Expires', cell: ({ expires_at: at }) => <Time value={at} />, hideBelow: 54 },
    actionsColumn((credential) => credential.revoked_at === null && (
      <Button size='s' variant='ghost' aria-label={`Revoke ${credential.name}`} onClick={() => setRevoked(credential)}>
        Revoke
      </Button>
    ))
  ]
  return (
    <>
      <PageHeader title='Credentials' description='All keys, tokens and applications. Revoke what no one uses.' />
      <Card flush>
        <Filters>
          <Select
            label='Last use' hideLabel value={values.unused} options={UNUSED} onChange={(unused) => set({ unused })}
          />
          <Select label='Kind' hideLabel value={values.kind} options={KINDS} onChange={(kind) => set({ kind })} />
          <Select
            label='State' hideLabel value={values.revoked} options={REVOKED}
            onChange={(value) => set({ revoked: value })}
          />
          {values.user !== '' && (
            <Button icon='close' onClick={() => set({ user: '' })}>{list.rows?.[0]?.user.name ?? 'One person'}</Button>
          )}
        </Filters>
        <Table
          label='Credentials' columns={columns} rows={list.rows} rowKey={({ id }) => id} error={list.error}
          onRetry={list.retry} isDimmed={({ state }) => state !== 'active'}
          empty={list.pending
            ? undefined
            : any
              ? (
                <EmptyState
                  icon='shield' title='No credential is like that' action={<Button onClick={clear}>Show all</Button>}
                />
                )
              : (
                <EmptyState icon='shield' title='No credentials yet'>
                  People make them on the page Access.
                </EmptyState>
                )}
        />
        {list.error === undefined && <Pagination list={list} noun='credential' />}
      </Card>
      {revoked && (
        <ConfirmDialog
          title={`Revoke ${revoked.name} of ${revoked.user.name}?`}
          description={revoked.last_used_at === null
            ? 'It was never used. This cannot be undone.'
            : (
              <>
                It was last used <Time value={revoked.last_used_at} />. Whatever uses it is refused at its next call.
                This cannot be undone.
              </>
              )}
          confirm='Revoke' done='Revoked.' onClose={() => setRevoked(undefined)}
          work={() => call('DELETE /admin/credentials/:id', { params: { id: revoked.id } })}
          changes={['/admin/credentials', '/keys', '/tokens', '/people']}
        />
      )}
    </>
  )
}

const StateBadge = ({ state }: Pick<AdminCredential, 'state'>) => {
  if (state === 'active') return null
  return state === 'revoked' ? <Badge tone='bad'>Revoked</Badge> : <Badge>Expired</Badge>
}

export default Credentials
