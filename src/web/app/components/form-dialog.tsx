/** Dialogs that do something: a form, or a question before it is done. They say what went wrong. */
import { useAction } from '../api/action.js'
import { invalidate } from '../api/resource.js'
import { Button } from './button.js'
import { Dialog, type DialogProps } from './dialog.js'
import { ErrorNote } from './note.js'
import { showToast } from './toast.js'

interface ActionDialogProps extends Pick<DialogProps, 'title' | 'description' | 'children' | 'onClose'> {
  /** What the button says: the action, such as `Revoke key`. */
  confirm: string
  /** What the button does. What it throws is shown; without a fault the dialog closes. */
  work: () => Promise<unknown>
  /** The lists that it changes, as `invalidate` takes them. */
  changes?: readonly string[]
  /** What a message says when it is done, such as `Key revoked.` */
  done?: string
  /** Runs when it is done; closes the dialog when absent. */
  onDone?: () => void
}

interface FormDialogProps extends ActionDialogProps {
  /** Whether something is missing, so that the form cannot be sent. */
  disabled?: boolean
  /** Called when the form is to be sent; false holds it back, for fields that say what is wrong. */
  check?: () => boolean
  /** How its button looks where there are no fields: then the focus is on *Cancel*. */
  question?: 'primary' | 'danger'
}

/** A form with its button: Enter sends it. */
export const FormDialog = ({
  title, description, children, confirm, work, changes = [], done, onClose, onDone = onClose, disabled = false,
  check = () => true, question
}: FormDialogProps) => {
  const { run, pending, error } = useAction(async () => {
    try {
      await work()
    } finally {
      // What failed may have done a part of it.
      invalidate(...changes)
    }
    if (done !== undefined) showToast(done)
    onDone()
  })
  return (
    <Dialog
      title={title} description={description} onClose={onClose}
      onSubmit={() => { if (!disabled && check()) run() }}
      footer={
        <>
          <Button onClick={onClose} data-autofocus={question}>Cancel</Button>
          <Button variant={question ?? 'primary'} type='submit' pending={pending} disabled={disabled}>{confirm}</Button>
        </>
      }
    >
      {children}
      {error !== undefined && <ErrorNote>{error}</ErrorNote>}
    </Dialog>
  )
}

/** Asks before something is done. */
export const ConfirmDialog = ({ danger = true, ...props }: ActionDialogProps & { danger?: boolean }) =>
  <FormDialog {...props} question={danger ? 'danger' : 'primary'} />
