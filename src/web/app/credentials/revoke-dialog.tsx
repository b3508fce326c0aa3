/** Asks before a credential is revoked, and says whether it is in use. */
import { DescriptionList } from '../components/layout.js'
import { ConfirmDialog } from '../components/dialog.js'
import { Note } from '../components/states.js'
import { Time } from '../components/time.js'
import { countOf, formatNumber } from '../lib/format.js'
import { sentenceCase } from '../lib/words.js'
import type { Credential, CredentialKindInfo } from './credential-kinds.js'

export interface CredentialDialogProps { kind: CredentialKindInfo, credential: Credential }

export const RevokeDialog = ({ kind: { noun, path, revoke }, credential }: CredentialDialogProps) => {
  const { id, name, hint, last_used_at: lastUsed, limits } = credential
  const today = limits?.day.used ?? 0
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      description={`Whatever uses this ${noun} is refused at its next call. This cannot be undone.`}
      confirm='Revoke' done={`${sentenceCase(noun)} revoked.`} work={() => revoke(id)} changes={[path]}
    >
      <DescriptionList
        items={{
          [sentenceCase(noun)]: <code>{hint}…</code>,
          'Last used': <Time value={lastUsed} />,
          'Calls today': limits && formatNumber(today)
        }}
      />
      {today > 0 && (
        <Note tone='bad'>It is in use: {countOf(today, 'call')} today, the last one <Time value={lastUsed} />.</Note>
      )}
    </ConfirmDialog>
  )
}
