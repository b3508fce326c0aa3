/** Replaces a secret without an interruption: a new one is created, stored and tested, then the old one is revoked. */
import { useState } from 'preact/hooks'
import { useAction } from '../api/action.js'
import { invalidate } from '../api/resource.js'
import { Button } from '../components/button.js'
import { ConfirmDialog, Dialog } from '../components/dialog.js'
import { ErrorNote, Note } from '../components/states.js'
import { SecretReveal } from '../components/code-field.js'
import { closeDialog } from '../components/show-dialog.js'
import { showToast } from '../components/toast.js'
import { sentenceCase } from '../lib/words.js'
import type { CreatedCredential } from './credential-kinds.js'
import type { CredentialDialogProps } from './revoke-dialog.js'
import { TestConnection } from './test-connection.js'

export const RotateDialog = ({ kind, credential }: CredentialDialogProps) => {
  const [created, setCreated] = useState<CreatedCredential>()
  const [passed, setPassed] = useState(false)
  const revoke = useAction(async () => {
    await kind.revoke(credential.id)
    closeDialog()
    invalidate(kind.path)
    showToast(`${sentenceCase(kind.noun)} revoked.`)
  })
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
    <Dialog
      title={`Copy the new ${kind.noun}`} persistent
      description={`Put it where ${credential.name} is used now. Then revoke the old one.`}
      footer={
        <>
          <Button onClick={closeDialog}>I have stored it</Button>
          <Button variant='danger' pending={revoke.pending} onClick={() => revoke.run()}>
            {`Revoke the old ${kind.noun}`}
          </Button>
        </>
      }
    >
      <SecretReveal secret={created.secret} kind={kind.noun} />
      <TestConnection secret={created.secret} onPassed={() => setPassed(true)} />
      {passed && (
        <Note tone='good'>
          The new {kind.noun} works. Revoke the old one, <code>{credential.hint}…</code>, once nothing uses it.
        </Note>
      )}
      {revoke.error !== undefined && <ErrorNote>{revoke.error}</ErrorNote>}
    </Dialog>
  )
}
