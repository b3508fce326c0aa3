/** The list of a person's keys or tokens, and what can be done with them. */
import { useState } from 'preact/hooks'
import { usePages } from '../api/pages.js'
import { invalidate } from '../api/resource.js'
import type { Answer } from '../api/call.js'
import { Button } from '../components/button.js'
import { Card, Pagination, Tabs } from '../components/layout.js'
import { Table } from '../components/table.js'
import { SearchField } from '../components/search-field.js'
import { EmptyState } from '../components/states.js'
import { showToast } from '../components/toast.js'
import { sentenceCase } from '../lib/words.js'
import { credentialColumns } from './credential-columns.js'
import type { Credential, CredentialKindInfo } from './credential-kinds.js'
import { RevokeDialog } from './revoke-dialog.js'
import { RotateDialog } from './rotate-dialog.js'
import './credentials.css'

type State = Credential['state']
type CredentialPage = Partial<Answer<'GET /keys'> & Answer<'GET /tokens'>>

const TABS: ReadonlyArray<{ value: State, label: string }> = [
  { value: 'active', label: 'Active' }, { value: 'expired', label: 'Expired' }, { value: 'revoked', label: 'Revoked' }
]
const LIMIT = 200

const rowsOf = (page: CredentialPage): readonly Credential[] => page.keys ?? page.tokens ?? []

export const CredentialsCard = ({ kind, onCreate }: { kind: CredentialKindInfo, onCreate: () => void }) => {
  const [state, setState] = useState<State>('active')
  // Revoked ones are asked for when they are shown: there may be thousands, and the others must not wait for them.
  const list = usePages<CredentialPage, Credential>(
    `${kind.path}?revoked=${state === 'revoked' ? 'include' : 'exclude'}&limit=${LIMIT}`, rowsOf)
  const [filter, setFilter] = useState('')
  const [dialog, setDialog] = useState<{ kind: 'rotate' | 'revoke', credential: Credential }>()
  const close = (): void => setDialog(undefined)
  const revoked = (): void => {
    close()
    invalidate(kind.path)
    showToast(`${sentenceCase(kind.noun)} revoked.`)
  }

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
        isDimmed={(credential) => credential.state !== 'active'}
        columns={credentialColumns({
          rotate: (credential) => setDialog({ kind: 'rotate', credential }),
          revoke: (credential) => setDialog({ kind: 'revoke', credential })
        })}
        empty={(
          <Nothing
            kind={kind} state={state} filtered={words !== '' && (inState?.length ?? 0) > 0} onCreate={onCreate}
          />
        )}
      />
      {list.onMore && <Pagination {...list} noun={kind.noun} />}
      {dialog?.kind === 'revoke' && <RevokeDialog kind={kind} credential={dialog.credential} onClose={close} />}
      {dialog?.kind === 'rotate' && (
        <RotateDialog kind={kind} credential={dialog.credential} onClose={close} onRevoked={revoked} />
      )}
    </Card>
  )
}

interface NothingProps { kind: CredentialKindInfo, state: State, filtered: boolean, onCreate: () => void }

const Nothing = ({ kind, state, filtered, onCreate }: NothingProps) => {
  if (filtered) return <EmptyState icon='search' title={`No ${kind.noun} has this name`} />
  if (state !== 'active') return <EmptyState icon={kind.icon} title={`No ${kind.noun} is ${state}`} />
  return (
    <EmptyState
      icon={kind.icon} title={`No ${kind.noun}s yet`}
      action={<Button icon='plus' onClick={onCreate}>{`New ${kind.noun}`}</Button>}
    >
      {kind.empty}
    </EmptyState>
  )
}
