/** Replaces a secret without an interruption: a new one is created, stored and tested, then the old one is revoked. */
import { useState } from 'preact/hooks'
import { useAction } from '../api/action.js'
import { Button } from '../components/button.js'
import { Dialog } from '../components/dialog.js'
import { ErrorNote, Note } from '../components/states.js'
import { SecretReveal } from '../components/code-field.js'
import type { CreatedCredential, Credential, CredentialKindInfo } from './credential-kinds.js'
import { TestConnection } from './test-connection.js'

export interface RotateDialogProps {
  kind: CredentialKindInfo
  credential: Credential
  /** Called when the list has changed. */
  onChanged: () => void
  onRevoked: () => void
  onClose: () => void
}

/** Draws the steps; the old secret stays valid until the last one. */
export const RotateDialog = ({ kind, credential, onChanged, onRevoked, onClose }: RotateDialogProps) => {
  const [created, setCreated] = useState<CreatedCredential>()
  const [passed, setPassed] = useState(false)
  const rotate = useAction(async () => {
    setCreated(await kind.rotate(credential.id))
    onChanged()
  })
  const revoke = useAction(async () => {
    await kind.revoke(credential.id)
    onRevoked()
  })
  if (!created) {
    return (
      <Dialog
        title={`Rotate ${credential.name}?`} onClose={onClose}
        description={`A second ${kind.noun} with the same rights is created. The old one works until you revoke it.`}
        footer={
          <>
            <Button onClick={onClose} data-autofocus>Cancel</Button>
            <Button variant='primary' pending={rotate.pending} onClick={() => rotate.run()}>{'Create the new ' +
              `${kind.noun}`}
            </Button>
          </>
        }
      >
        {rotate.error !== undefined && <ErrorNote>{rotate.error}</ErrorNote>}
      </Dialog>
    )
  }
  return (
    <Dialog
      title={`Copy the new ${kind.noun}`} persistent onClose={onClose}
      description={`Put it where ${credential.name} is used now. Then revoke the old one.`}
      footer={
        <>
          <Button onClick={onClose}>I have stored it</Button>
          <Button variant='danger' pending={revoke.pending} onClick={() => revoke.run()}>{'Revoke the old ' +
            `${kind.noun}`}
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
