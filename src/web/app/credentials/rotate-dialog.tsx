/** Replaces a secret without an interruption: a new one is created, stored and tested, then the old one is revoked. */
import { useState } from 'preact/hooks'
import { SecretReveal } from '../components/code-field.js'
import { ConfirmDialog } from '../components/dialog.js'
import { Note } from '../components/states.js'
import { sentenceCase } from '../lib/words.js'
import type { CreatedCredential } from './credential-kinds.js'
import type { CredentialDialogProps } from './revoke-dialog.js'
import { TestConnection } from './test-connection.js'

export const RotateDialog = ({ kind, credential }: CredentialDialogProps) => {
  const [created, setCreated] = useState<CreatedCredential>()
  const [passed, setPassed] = useState(false)
  if (!created) {
    return (
      <ConfirmDialog
        title={`Rotate ${credential.name}?`} confirm={`Create the new ${kind.noun}`} danger={false}
        description={`A second ${kind.noun} with the same rights is created. The old one works until you revoke it.`}
        work={async () => setCreated(await kind.rotate(credential.id))} changes={[kind.path]} onDone={() => {}}
      />
    )
  }
  return (
    <ConfirmDialog
      key={created.id} title={`Copy the new ${kind.noun}`} persistent cancel='I have stored it'
      description={`Put it where ${credential.name} is used now. Then revoke the old one.`}
      confirm={`Revoke the old ${kind.noun}`} done={`${sentenceCase(kind.noun)} revoked.`}
      work={() => kind.revoke(credential.id)} changes={[kind.path]}
    >
      <SecretReveal secret={created.secret} kind={kind.noun} />
      <TestConnection secret={created.secret} onPassed={() => setPassed(true)} />
      {passed && (
        <Note tone='good'>
          The new {kind.noun} works. Revoke the old one, <code>{credential.hint}…</code>, once nothing uses it.
        </Note>
      )}
    </ConfirmDialog>
  )
}
