/** Asks before a credential is revoked, and says whether it is in use. */
import { useAction } from '../api/action.js'
import { DescriptionList } from '../components/description-list.js'
import { ConfirmDialog } from '../components/dialog.js'
import { Note } from '../components/note.js'
import { Time } from '../components/time.js'
import { countOf, formatNumber } from '../lib/format-number.js'
import type { Credential, CredentialKindInfo } from './credential-kinds.js'

export interface RevokeDialogProps {
  kind: Pick<CredentialKindInfo, 'noun' | 'revoke'>
  credential: Pick<Credential, 'id' | 'name' | 'hint' | 'last_used_at' | 'limits'>
  onRevoked: () => void
  onClose: () => void
}

/** Draws the question; `onRevoked` runs after the server has revoked it. */
export const RevokeDialog = ({ kind: { noun, revoke }, credential, onRevoked, onClose }: RevokeDialogProps) => {
  const { id, name, hint, last_used_at: lastUsed, limits } = credential
  const revocation = useAction(async () => {
    await revoke(id)
    onRevoked()
  })
  const today = limits?.day.used ?? 0
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      confirm='Revoke'
      pending={revocation.pending}
      error={revocation.error}
      onConfirm={() => revocation.run()}
      onClose={onClose}
      description={`Whatever uses this ${noun} is refused at its next call. This cannot be undone.`}
    >
      <DescriptionList
        items={[
          [noun === 'key' ? 'Key' : 'Token', <code key='hint'>{hint}…</code>],
          ['Last used', <Time key='used' value={lastUsed} />],
          ...limits ? [['Calls today', formatNumber(today)] as const] : []
        ]}
      />
      {today > 0 && (
        <Note tone='bad'>It is in use: {countOf(today, 'call')} today, the last one <Time value={lastUsed} />.</Note>
      )}
    </ConfirmDialog>
  )
}
