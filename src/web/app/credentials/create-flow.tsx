/** Creating a credential from beginning to end: the form, then the secret. */
import { useState } from 'preact/hooks'
import { Button } from '../components/button.js'
import { CodeField, SecretReveal } from '../components/code-field.js'
import { Dialog } from '../components/dialog.js'
import { closeDialog } from '../components/show-dialog.js'
import { useSessionState } from '../lib/session.js'
import { CreateDialog } from './create-dialog.js'
import type { CreatedCredential, CredentialKindInfo } from './credential-kinds.js'
import { TestConnection } from './test-connection.js'

interface CreateFlowProps {
  kind: CredentialKindInfo
  name?: string
  onDone?: (created: CreatedCredential) => void
}

export const CreateFlow = ({ kind, name, onDone }: CreateFlowProps) => {
  const [created, setCreated] = useState<CreatedCredential>()
  if (!created) return <CreateDialog kind={kind} name={name} onCreated={setCreated} />
  const close = (): void => {
    closeDialog()
    onDone?.(created)
  }
  return <SecretDialog kind={kind} created={created} onStored={close} />
}

interface SecretDialogProps { kind: CredentialKindInfo, created: CreatedCredential, onStored: () => void }

/** Shows a new secret, once. Only its button closes it, so that no slip loses the secret. */
const SecretDialog = ({ kind, created: { name, secret }, onStored }: SecretDialogProps) => {
  const endpoint = useSessionState()?.session.server.endpoint
  return (
    <Dialog
      title={`Copy your ${kind.noun}`} description={`${name} is ready.`} persistent
      footer={<Button variant='primary' onClick={onStored}>I have stored it</Button>}
    >
      <SecretReveal secret={secret} kind={kind.noun} />
      <TestConnection secret={secret} />
      {endpoint !== undefined && (
        <div class='field'>
          <span class='field-label'>Claude Code</span>
          <CodeField
            label='command' text={`claude mcp add --scope user --transport http exploration ${endpoint} ` +
            `--header "Authorization: Bearer ${secret}"`}
          />
          <span class='field-hint'>
            Another agent? <a href='/integrations/connect' onClick={onStored}>The guides</a> have its file and its
            button.
          </span>
        </div>
      )}
    </Dialog>
  )
}
