/** The person's passkeys: add, rename, remove. */
import { useState } from 'preact/hooks'
import type { Passkey } from '../../../../access/sign-in/passkeys.js'
import { useAction } from '../../api/action.js'
import { requestJson } from '../../api/request.js'
import { invalidate, useResource } from '../../api/resource.js'
import { Button } from '../../components/button.js'
import { Card } from '../../components/card.js'
import { ConfirmDialog, Dialog } from '../../components/dialog.js'
import { ErrorNote } from '../../components/error-note.js'
import { Menu } from '../../components/menu.js'
import { CellLines, Table } from '../../components/table.js'
import { TextField } from '../../components/text-field.js'
import { Time } from '../../components/time.js'
import { showToast } from '../../components/toast.js'
import { BASE_PATH } from '../../lib/base-path.js'
import { endPasskeyOffer } from '../../lib/passkey-offer.js'
import { addPasskey, canUsePasskeys, proposedPasskeyName } from '../../lib/passkeys.js'

/** Draws the card. */
export const Passkeys = () => {
  const list = useResource<{ passkeys: Passkey[] }>('/passkeys')
  const [dialog, setDialog] = useState<{ kind: 'rename' | 'remove', passkey: Passkey }>()
  const close = (): void => setDialog(undefined)
  const add = useAction(async () => {
    await addPasskey(proposedPasskeyName())
    endPasskeyOffer()
    invalidate('/passkeys', '/session')
    showToast('Passkey added.')
  })
  return (
    <Card
      title='Passkeys' description='They sign you in with the fingerprint, the face or the PIN of a device.' flush
      actions={canUsePasskeys()
        ? <Button icon='passkey' pending={add.pending} onClick={() => add.run()}>Add a passkey</Button>
        : undefined}
    >
      {add.error !== undefined && <div class='card-note'><ErrorNote>{add.error}</ErrorNote></div>}
      <Table
        label='Passkeys'
        rows={list.value?.passkeys}
        rowKey={({ id }) => id}
        error={list.value ? undefined : list.error}
        onRetry={list.retry}
        expected={1}
        columns={[
          {
            id: 'title',
            header: 'Passkey',
            cell: ({ name, created_at: at }) => (
              <CellLines title={name}>added <Time value={at} format='date' /></CellLines>
            )
          },
          { id: 'used', header: 'Last used', cell: ({ last_used_at: at }) => <Time value={at} /> },
          {
            id: 'actions',
            header: 'Actions',
            hideHeader: true,
            align: 'end',
            width: '1%',
            cell: (passkey) => (
              <Menu
                label={`More for ${passkey.name}`}
                items={[
                  { label: 'Rename', icon: 'edit', onSelect: () => setDialog({ kind: 'rename', passkey }) },
                  {
                    label: 'Remove',
                    icon: 'trash',
                    danger: true,
                    onSelect: () => setDialog({ kind: 'remove', passkey })
                  }
                ]}
              />
            )
          }
        ]}
        empty={
          <p class='account-none'>
            {canUsePasskeys()
              ? 'None yet. Add one, and you need no link to sign in.'
              : 'Passkeys work under https, and on this machine under http://localhost, not at an IP address.'}
          </p>
        }
      />
      {dialog?.kind === 'rename' && <Rename passkey={dialog.passkey} onClose={close} />}
      {dialog?.kind === 'remove' && <Remove passkey={dialog.passkey} onClose={close} />}
    </Card>
  )
}

const Rename = ({ passkey, onClose }: { passkey: Passkey, onClose: () => void }) => {
  const [name, setName] = useState(passkey.name)
  const rename = useAction(async () => {
    await requestJson('PATCH', `/passkeys/${encodeURIComponent(passkey.id)}`, { body: { name: name.trim() } })
    invalidate('/passkeys')
    onClose()
  })
  return (
    <Dialog
      title='Rename the passkey' onClose={onClose} onSubmit={() => { if (name.trim() !== '') rename.run() }}
      footer={(
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant='primary' type='submit' pending={rename.pending}>Rename</Button>
        </>
      )}
    >
      <TextField
        label='Name'
        value={name}
        onInput={setName}
        maxLength={200}
        data-autofocus
        error={name.trim() === '' ? 'Give it a name.' : rename.error}
      />
    </Dialog>
  )
}

const Remove = ({ passkey, onClose }: { passkey: Passkey, onClose: () => void }) => {
  const remove = useAction(async () => {
    const answer = await requestJson('DELETE', `/passkeys/${encodeURIComponent(passkey.id)}`)
    if (typeof answer === 'object' && answer !== null && 'signed_out' in answer && answer.signed_out === true) {
      location.assign(`${BASE_PATH}/sign-in`)
      return
    }
    invalidate('/passkeys', '/session', '/sessions')
    showToast('Passkey removed.')
    onClose()
  })
  return (
    <ConfirmDialog
      title={`Remove ${passkey.name}?`}
      confirm='Remove'
      pending={remove.pending}
      error={remove.error}
      onConfirm={() => remove.run()}
      onClose={onClose}
      description='It signs nobody in any more, and sessions that it started end. Delete it on the device too.'
    />
  )
}
