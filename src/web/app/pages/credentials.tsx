/** All credentials of the server with their last use: find those that no one uses, and revoke them. */
import { call, pathOf, type Answer } from '../api/call.js'
import { usePages } from '../api/pages.js'
import { Button } from '../components/button.js'
import { ConfirmDialog } from '../components/dialog.js'
import { Select } from '../components/fields.js'
import { Card, PageHeader } from '../components/layout.js'
import { Filters } from '../components/search-field.js'
import { Badge, EmptyState } from '../components/states.js'
import { actionsColumn, CellLines, Table, type Column } from '../components/table.js'
import { Time } from '../components/time.js'
import { ScopeBadge, WORKSPACES } from '../credentials/access-columns.js'
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
  ...Object.entries(KIND_LABELS).map(([value, label]) => ({ value, label: `${label}s` }))
]
const REVOKED = [{ value: 'exclude', label: 'In force or expired' }, { value: 'include', label: 'Also revoked ones' }]
const FILTERS = { unused: UNUSED, kind: KINDS, revoked: REVOKED, user: [] } as const

const COLUMNS: ReadonlyArray<Column<AdminCredential>> = [
  {
    header: 'Name',
    cell: ({ name, hint, kind, state, user }) => (
      <CellLines title={<>{name} <StateBadge state={state} /></>}>
        {kind !== 'connection' && <code>{hint}…</code>} {KIND_LABELS[kind]}
        <span class='only-below-40'>of {user.name}</span>
      </CellLines>
    )
  },
  {
    header: 'Of',
    hideBelow: 40,
    width: '8rem',
    cell: ({ user }) => <a href={`/admin/credentials?user=${user.id}`} title={user.email}>{user.name}</a>
  },
  { header: 'Scope', cell: ({ scope }) => <ScopeBadge scope={scope} />, hideBelow: 40 },
  WORKSPACES,
  {
    header: 'Last used',
    cell: ({ last_used_at: at, last_used_from: from }) => (
      <span title={from === null ? undefined : `from ${from}`}><Time value={at} /></span>
    )
  },
  { header: 'Created', cell: ({ created_at: at }) => <Time value={at} />, hideBelow: 54 },
  { header: 'Expires', cell: ({ expires_at: at }) => <Time value={at} />, hideBelow: 54 },
  actionsColumn((credential) => credential.revoked_at === null && (
    <Button
      size='s' variant='ghost' aria-label={`Revoke ${credential.name}`}
      dialog={<RevokeDialog credential={credential} />}
    >Revoke
    </Button>
  ))
]

const Credentials = () => {
  const { values: { unused, ...query }, set, clear, bind, any } = useQueryState(FILTERS)
  const list = usePages(
    pathOf('GET /admin/credentials', {}, { ...query, unused_days: unused, limit: 50 }),
    ({ credentials }: Answer<'GET /admin/credentials'>) => credentials
  )
  return (
    <>
      <PageHeader title='Credentials' description='All keys, tokens and applications. Revoke what no one uses.' />
      <Card flush>
        <Filters>
          <Select label='Last use' hideLabel options={UNUSED} {...bind('unused')} />
          <Select label='Kind' hideLabel options={KINDS} {...bind('kind')} />
          <Select label='State' hideLabel options={REVOKED} {...bind('revoked')} />
          {query.user !== '' && (
            <Button icon='close' onClick={() => set({ user: '' })}>{list.rows?.[0]?.user.name ?? 'One person'}</Button>
          )}
        </Filters>
        <Table
          label='Credentials' {...list} columns={COLUMNS} noun='credential' isDimmed={({ state }) => state !== 'active'}
          empty={(
            <EmptyState
              icon='shield' title={any ? 'No credential is like that' : 'No credentials yet'}
              action={any && <Button onClick={clear}>Show all</Button>}
            >
              {!any && 'People make them on the page Access.'}
            </EmptyState>
          )}
        />
      </Card>
    </>
  )
}

const RevokeDialog = ({ credential: { id, name, user, last_used_at: used } }: { credential: AdminCredential }) => (
  <ConfirmDialog
    title={`Revoke ${name} of ${user.name}?`}
    description={used === null
      ? 'It was never used. This cannot be undone.'
      : (
        <>
          It was last used <Time value={used} />. Whatever uses it is refused at its next call. This cannot be undone.
        </>
        )}
    confirm='Revoke' done='Revoked.' work={() => call('DELETE /admin/credentials/:id', { params: { id } })}
    changes={['/admin/credentials', '/keys', '/tokens', '/people']}
  />
)

const StateBadge = ({ state }: Pick<AdminCredential, 'state'>) => {
  if (state === 'active') return null
  return state === 'revoked' ? <Badge tone='bad'>Revoked</Badge> : <Badge>Expired</Badge>
}

export default Credentials
