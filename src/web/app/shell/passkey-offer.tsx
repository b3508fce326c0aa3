/** Offers a passkey to people who came by a link, so that they need no other one. */
import { useState } from 'preact/hooks'
import { useAction } from '../api/action.js'
import { invalidate } from '../api/resource.js'
import { Button } from '../components/button.js'
import { ErrorNote } from '../components/states.js'
import { Icon } from '../components/icon.js'
import { showToast } from '../components/toast.js'
import {
  addPasskey, canUsePasskeys, endPasskeyOffer, isPasskeyOffered, proposedPasskeyName
} from '../lib/passkeys.js'
import './passkey-offer.css'

export const PasskeyOffer = () => {
  const [open, setOpen] = useState(() => isPasskeyOffered() && canUsePasskeys())
  const close = (): void => {
    endPasskeyOffer()
    setOpen(false)
  }
  const add = useAction(async () => {
    await addPasskey(proposedPasskeyName())
    invalidate('/passkeys', '/session')
    showToast('Passkey added: it signs you in next time.')
    close()
  })
  if (!open) return null
  return (
    <section class='passkey-offer' aria-labelledby='passkey-offer'>
      <span class='passkey-offer-icon'><Icon name='passkey' size={20} /></span>
      <div class='passkey-offer-text'>
        <h2 id='passkey-offer'>Sign in without a link next time</h2>
        <p class='quiet'>
          A passkey lets you in with your fingerprint, your face or the PIN of this device. There is no password to
          lose.
        </p>
        {add.error !== undefined && <ErrorNote>{add.error}</ErrorNote>}
      </div>
      <div class='passkey-offer-actions'>
        <Button variant='ghost' onClick={close}>Not now</Button>
        <Button pending={add.pending} onClick={() => add.run()}>Add a passkey</Button>
      </div>
    </section>
  )
}
