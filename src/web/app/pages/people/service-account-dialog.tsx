/** Makes a service account, or changes the name and the owner of one. */
import { useState } from 'preact/hooks'
import { call } from '../../api/call.js'
import { FormDialog } from '../../components/dialog.js'
import { TextField } from '../../components/fields.js'
import { useSessionState } from '../../lib/session.js'
import type { ServiceAccount } from '../../api/answers.js'

export const ServiceAccountDialog = ({ account, onClose }: { account?: ServiceAccount, onClose: () => void }) => {
  const own = useSessionState()?.session.user.email ?? ''
  const [name, setName] = useState(account?.name ?? '')
  const [email, setEmail] = useState('')
  const [owner, setOwner] = useState(account ? account.owner?.email ?? '' : own)
  const complete = name.trim() !== '' && (account !== undefined || email.trim() !== '')
  const save = (): Promise<unknown> => {
    const fields = { name: name.trim(), ...owner.trim() !== '' && { owner: owner.trim() } }
    return account
      ? call('PATCH /service-accounts/:id', { params: { id: account.id }, body: fields })
      : call('POST /service-accounts', { body: { ...fields, email: email.trim() } })
  }
  return (
    <FormDialog
      title={account ? `Change ${account.name}` : 'Create a service account'}
      description='Its owner answers for it: they see its keys and its audit log.'
      confirm={account ? 'Save' : 'Create service account'} disabled={!complete} onClose={onClose}
      work={save} changes={['/service-accounts']}
      done={account ? 'Service account changed.' : 'Service account created.'}
    >
      <TextField label='Name' value={name} onInput={setName} required maxLength={200} placeholder='Nightly report' />
      {!account && (
        <TextField
          label='E-mail' type='email' value={email} onInput={setEmail} required maxLength={320}
          placeholder='nightly-report@example.com' hint='Only a name in lists; nothing is sent to it.'
        />
      )}
      <TextField
        label='Owner' type='email' value={owner} onInput={setOwner} maxLength={320}
        hint='The e-mail address of a person.'
      />
    </FormDialog>
  )
}
