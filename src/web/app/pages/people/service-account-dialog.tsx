/** Makes a service account, or changes the name and the owner of one. */
import { useState } from 'preact/hooks'
import { call } from '../../api/call.js'
import { useAction } from '../../api/action.js'
import { invalidate } from '../../api/resource.js'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { ErrorNote } from '../../components/error-note.js'
import { TextField } from '../../components/text-field.js'
import { showToast } from '../../components/toast.js'
import { useSessionState } from '../../lib/session.js'
import type { ServiceAccount } from '../../api/answers.js'

/** Draws the form; without `account` it makes one. */
export const ServiceAccountDialog = ({ account, onClose }: { account?: ServiceAccount, onClose: () => void }) => {
  const own = useSessionState()?.session.user.email ?? ''
  const [name, setName] = useState(account?.name ?? '')
  const [email, setEmail] = useState('')
  const [owner, setOwner] = useState(account ? account.owner?.email ?? '' : own)
  const complete = name.trim() !== '' && (account !== undefined || email.trim() !== '')
  const { run, pending, error } = useAction(async () => {
    const fields = { name: name.trim(), ...owner.trim() !== '' && { owner: owner.trim() } }
    if (account) await call('PATCH /service-accounts/:id', { params: { id: account.id }, body: fields })
    else await call('POST /service-accounts', { body: { ...fields, email: email.trim() } })
    invalidate('/service-accounts')
    showToast(account ? 'Service account changed.' : 'Service account created.')
    onClose()
  })
  return (
    <Dialog
      title={account ? `Change ${account.name}` : 'Create a service account'}
      onClose={onClose}
      onSubmit={() => { if (complete) run() }}
      description='Its owner answers for it: they see its keys and its audit log.'
      footer={(
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant='primary' type='submit' pending={pending} disabled={!complete}>
            {account ? 'Save' : 'Create service account'}
          </Button>
        </>
      )}
    >
      <TextField label='Name' value={name} onInput={setName} required maxLength={200} placeholder='Nightly report' />
      {!account && (
        <TextField
          label='E-mail'
          type='email'
          value={email}
          onInput={setEmail}
          required
          maxLength={320}
          placeholder='nightly-report@example.com'
          hint='Only a name in lists; nothing is sent to it.'
        />
      )}
      <TextField
        label='Owner'
        type='email'
        value={owner}
        onInput={setOwner}
        maxLength={320}
        hint='The e-mail address of a person.'
      />
      {error !== undefined && <ErrorNote>{error}</ErrorNote>}
    </Dialog>
  )
}
