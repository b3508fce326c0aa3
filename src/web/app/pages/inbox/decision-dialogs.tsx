/** Dialogs of the inbox: why a proposal is dismissed, and the person's own version of one. */
import { useState } from 'preact/hooks'
import { FormDialog } from '../../components/dialog.js'
import { TextField } from '../../components/fields.js'
import { Control } from '../../edit/fields.js'
import { countOf } from '../../lib/format-number.js'
import type { Changes } from './decisions.js'
import { effectOf, labelOf, TEXTS } from './entry-words.js'

interface DismissDialogProps { count: number, onDismiss: (reason: string) => Promise<void>, onClose: () => void }

/** Asks for the reason, which agents get. */
export const DismissDialog = ({ count, onDismiss, onClose }: DismissDialogProps) => {
  const [reason, setReason] = useState('')
  return (
    <FormDialog
      title={`Dismiss ${countOf(count, 'proposal')}?`} description='Agents read the reason.' confirm='Dismiss'
      disabled={reason.trim() === ''} work={() => onDismiss(reason)} onClose={onClose}
    >
      <TextField label='Reason' value={reason} onInput={setReason} maxLength={500} required />
    </FormDialog>
  )
}

interface EditDialogProps { proposed: Changes, onAccept: (changes: Changes) => Promise<void>, onClose: () => void }

/** Lets the texts of a proposal be changed before it is accepted. */
export const EditDialog = ({ proposed, onAccept, onClose }: EditDialogProps) => {
  const [changes, setChanges] = useState(proposed)
  return (
    <FormDialog
      title='Edit, then accept' confirm='Accept my version' work={() => onAccept(changes)} onClose={onClose}
      description='Your version is done. The proposal says who made it, and that you edited it.'
    >
      {changes.map((change, at) => (
        <fieldset key={at} class='form'>
          <legend class='field-label'>{effectOf(change)}</legend>
          {TEXTS.filter((field) => change[field] !== undefined).map((field) => {
            const isList = field === 'acceptance'
            const kind = field === 'title' ? 'line' : isList ? 'criteria' : 'text'
            return (
              <Control
                key={field} field={{ name: field, label: labelOf(field), kind }}
                value={isList ? JSON.stringify(change[field]) : String(change[field])}
                onInput={(text) => setChanges(
                  changes.with(at, { ...change, [field]: isList ? JSON.parse(text) : text }))}
              />
            )
          })}
        </fieldset>
      ))}
    </FormDialog>
  )
}
