/** Creating a credential from beginning to end: the form, then the secret. */
import { useState } from 'preact/hooks'
import { invalidate } from '../api/resource.js'
import { CreateDialog } from './create-dialog.js'
import type { CreatedCredential, CredentialKindInfo } from './credential-kinds.js'
import { SecretDialog } from './secret-dialog.js'

export interface CreateFlowProps {
  kind: CredentialKindInfo
  name?: string
  /** Called when the person has stored the secret. */
  onDone: (created: CreatedCredential) => void
  onClose: () => void
}

/** Draws the form or the secret; `onDone` runs when the secret was stored. */
export const CreateFlow = ({ kind, name, onDone, onClose }: CreateFlowProps) => {
  const [created, setCreated] = useState<CreatedCredential>()
  const show = (result: CreatedCredential): void => {
    setCreated(result)
    invalidate(kind.path)
  }
  return created
    ? <SecretDialog kind={kind} created={created} onStored={() => onDone(created)} />
    : <CreateDialog kind={kind} name={name} onCreated={show} onClose={onClose} />
}
