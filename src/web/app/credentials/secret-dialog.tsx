/** Shows a new secret, once. Only its button closes it, so that nobody loses the secret by a slip. */
import { Button } from '../components/button.js'
import { CodeField } from '../components/code-field.js'
import { Dialog } from '../components/dialog.js'
import { SecretReveal } from '../components/secret-reveal.js'
import { useSessionState } from '../lib/session.js'
import type { CreatedCredential, CredentialKindInfo } from './credential-kinds.js'
import { TestConnection } from './test-connection.js'

export interface SecretDialogProps { kind: CredentialKindInfo, created: CreatedCredential, onStored: () => void }

/** Draws the secret and the ways to use it. */
export const SecretDialog = ({ kind, created: { name, secret }, onStored }: SecretDialogProps) => {
  const endpoint = useSessionState()?.session.server.endpoint
  return (
    <Dialog
      title={`Copy your ${kind.noun}`} description={`${name} is ready.`} persistent onClose={onStored}
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
