/** The person's passkeys: add, rename, remove. */
import { useState } from 'preact/hooks'
import { useAction } from '../../api/action.js'
import { call, type Answer } from '../../api/call.js'
import { invalidate, useOperation } from '../../api/resource.js'
import { Button } from '../../components/button.js'
import { Card } from '../../components/layout.js'
import { ConfirmDialog, FormDialog } from '../../components/dialog.js'
import { ErrorNote } from '../../components/states.js'
import { Menu } from '../../components/menu.js'
import { actionsColumn, CellLines, Table } from '../../components/table.js'
import { TextField } from '../../components/fields.js'
import { Time } from '../../components/time.js'
import { showToast } from '../../components/toast.js'
import { BASE_PATH } from '../../lib/base-path.js'
import { addPasskey, canUsePasskeys, endPasskeyOffer, proposedPasskeyName } from '../../lib/passkeys.js'

type Passkey = Answer<'GET /passkeys'>['passkeys'][number]

export const Passkeys = () => {
  const list = useOperation('GET /passkeys')
  const add = useAction(async () => {
    await addPasskey(proposedPasskeyName())
    endPasskeyOffer()
    invalidate('/passkeys', '/session')
    showToast('Passkey added.')
  })
  return (
    <Card
      title='Passkeys' description='They sign you in with the fingerprint, the face or the PIN of a device.' flush
      actions={canUsePasskeys() &&
        <Button icon='passkey' pending={add.pending} onClick={() => add.run()}>Add a passkey</Button>}
    >
      {add.error !== undefined && <div class='card-note'><ErrorNote>{add.error}</ErrorNote></div>}
      <Table
        label='Passkeys' {...list} rows={list.value?.passkeys} expected={1}
        columns={[
          {
            header: 'Passkey',
            cell: ({ name, created_at: at }) => (
              <CellLines title={name}>added <Time value={at} format='date' /></CellLines>
            )
          },
          { header: 'Last used', cell: ({ last_used_at: at }) => <Time value={at} /> },
          actionsColumn((passkey: Passkey) => (
            <Menu
              label={`More for ${passkey.name}`}
              items={[
                { label: 'Rename', icon: 'edit', dialog: <Rename passkey={passkey} /> },
                { label: 'Remove', icon: 'trash', danger: true, dialog: <Remove passkey={passkey} /> }
              ]}
            />
          ))
        ]}
        empty={
          <p class='account-none'>
            {canUsePasskeys()
              ? 'None yet. Add one, and you need no link to sign in.'
              : 'Passkeys work under https, and on this machine under http://localhost, not at an IP address.'}
          </p>
        }
      />
    </Card>
  )
}

const Rename = ({ passkey }: { passkey: Passkey }) => {
  const [name, setName] = useState(passkey.name)
  const isNamed = name.trim() !== ''
  return (
    <FormDialog
      title='Rename the passkey' confirm='Rename' changes={['/passkeys']} check={() => isNamed}
      work={() => call('PATCH /passkeys/:id', { params: { id: passkey.id }, body: { name: name.trim() } })}
    >
      <TextField
        label='Name' value={name} onInput={setName} maxLength={200} data-autofocus
        error={isNamed ? undefined : 'Give it a name.'}
      />
    </FormDialog>
  )
}

const Remove = ({ passkey: { id, name } }: { passkey: Passkey }) => (
  <ConfirmDialog
    title={`Remove ${name}?`} confirm='Remove' done='Passkey removed.' changes={['/passkeys', '/session', '/sessions']}
    description='It signs no one in any more, and sessions that it started end. Delete it on the device too.'
    work={async () => {
      const { signed_out: isSignedOut } = await call('DELETE /passkeys/:id', { params: { id } })
      if (!isSignedOut) return
      location.assign(`${BASE_PATH}/sign-in`)
      // The page is left: nothing more is shown on it.
      await new Promise(() => {})
    }}
  />
)
