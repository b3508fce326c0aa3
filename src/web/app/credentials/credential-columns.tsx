/** The columns of the list of keys or tokens. */
import { Badge } from '../components/states.js'
import { Button } from '../components/button.js'
import { Menu } from '../components/menu.js'
import { Meter } from '../components/meter.js'
import { actionsColumn, CellLines, type Column } from '../components/table.js'
import { Time } from '../components/time.js'
import { LAST_USED, ScopeBadge, WORKSPACES } from './access-columns.js'
import type { Credential, CredentialKindInfo } from './credential-kinds.js'
import { RevokeDialog } from './revoke-dialog.js'
import { RotateDialog } from './rotate-dialog.js'

const SOON_MS = 14 * 86_400_000

const expiresSoon = ({ expires_at: at, state }: Credential): boolean =>
  state === 'active' && at !== null && Date.parse(at) - Date.now() < SOON_MS

const Expiry = ({ credential }: { credential: Credential }) => {
  const { state, revoked_at: revoked, expires_at: expires } = credential
  if (state === 'revoked') return <span>revoked <Time value={revoked} /></span>
  if (expiresSoon(credential)) return <Badge tone='warn' icon='clock'><Time value={expires} /></Badge>
  return <Time value={expires} format='date' />
}

const NameCell = ({ credential }: { credential: Credential }) => {
  const { name, hint, user, created_by: by, created_at: created, scope, last_used_at: used } = credential
  const maker = by === null || by === user.email ? '' : `by ${by}, `
  return (
    <CellLines title={name}>
      <span class='only-below-40'><ScopeBadge scope={scope} /></span>
      <code>{hint}…</code><span class='hide-below-40'> · {maker}<Time value={created} format='date' /></span>
      <span class='only-below-40'>used&nbsp;<Time value={used} /></span>
      {expiresSoon(credential) && <span class='only-below-40'><Expiry credential={credential} /></span>}
    </CellLines>
  )
}

export const credentialColumns = (kind: CredentialKindInfo): ReadonlyArray<Column<Credential>> => [
  {
    header: 'Name',
    order: ({ name }) => name.toLowerCase(),
    cell: (credential) => <NameCell credential={credential} />
  },
  { header: 'Scope', hideBelow: 40, cell: ({ scope }) => <ScopeBadge scope={scope} /> },
  WORKSPACES,
  {
    header: 'Today',
    align: 'end',
    hideBelow: 54,
    order: ({ limits }) => limits?.day.used ?? 0,
    cell: ({ limits, name }) => limits === null
      ? '–'
      : <Meter used={limits.day.used} cap={limits.day.cap} label={`Calls of ${name} today`} />
  },
  LAST_USED,
  {
    header: 'Expires',
    order: ({ expires_at: at }) => at ?? '9999',
    hideBelow: 40,
    cell: (credential) => <Expiry credential={credential} />
  },
  actionsColumn((credential) => credential.state === 'active' && (
    <div class='cell-actions'>
      <Button variant='ghost' size='s' dialog={<RevokeDialog kind={kind} credential={credential} />}>Revoke</Button>
      <Menu
        label={`More for ${credential.name}`}
        items={[
          { label: 'Rotate', icon: 'rotate', dialog: <RotateDialog kind={kind} credential={credential} /> },
          { label: 'See its calls', icon: 'log', href: `/audit?credential=${credential.id}` }
        ]}
      />
    </div>
  ))
]
