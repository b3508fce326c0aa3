/**
 * Modal dialogs: the browser's own element, so focus stays inside and what is behind cannot be reached. One is open
 * while it is rendered. Those that do something are forms, or a question before it is done.
 */
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useAction } from '../api/action.js'
import { invalidate } from '../api/resource.js'
import { Button } from './button.js'
import { closeDialog } from './show-dialog.js'
import { ErrorNote } from './states.js'
import { showToast } from './toast.js'
import './dialog.css'

interface DialogProps {
  title: ComponentChildren
  description?: ComponentChildren
  children?: ComponentChildren
  /** The buttons, the main one last. */
  footer?: ComponentChildren
  /** Called for Escape and for a press beside the dialog; closes one of `showDialog` when absent. */
  onClose?: () => void
  /** Whether only a button closes it: for what is shown once. */
  persistent?: boolean
  /** Makes the dialog a form: Enter submits it. */
  onSubmit?: () => void
  wide?: boolean
}

export const Dialog = ({
  title, description, children, footer, onClose = closeDialog, persistent = false, onSubmit, wide = false
}: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Before the next key arrives.
  useLayoutEffect(() => {
    const element = dialog.current
    // The element that the dialog was opened from gets the focus back, where it still exists.
    const opener = document.activeElement
    element?.showModal()
    // A field rather than the tabs above it.
    const first = element?.querySelector<HTMLElement>('[data-autofocus]') ??
      element?.querySelector('input,select,textarea')
    first?.focus()
    if (first instanceof HTMLInputElement) first.select()
    return () => {
      element?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  const content = (
    <>
      <div class='dialog-body'>
        <header class='dialog-header'>
          <h2 id={`${id}-title`}>{title}</h2>
          {description !== undefined && <p id={`${id}-description`} class='quiet'>{description}</p>}
        </header>
        {children}
      </div>
      {footer !== undefined && <footer class='dialog-footer'>{footer}</footer>}
    </>
  )
  return (
    // The listeners are for a press on the backdrop; Escape arrives as `cancel`.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog} class={wide ? 'dialog dialog-wide' : 'dialog'} closedby='none' aria-labelledby={`${id}-title`}
      aria-describedby={description === undefined ? undefined : `${id}-description`}
      onCancel={(event) => {
        event.preventDefault()
        if (!persistent) onClose()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        if (!persistent) onClose()
      }}
      onMouseDown={(event) => { if (event.target === dialog.current && !persistent) onClose() }}
    >
      {onSubmit
        ? <form noValidate onSubmit={(event) => { event.preventDefault(); onSubmit() }}>{content}</form>
        : <div>{content}</div>}
    </dialog>
  )
}

interface ActionDialogProps extends Pick<DialogProps, 'title' | 'description' | 'children' | 'onClose' | 'persistent'> {
  /** What the button says: the action, such as `Revoke key`. */
  confirm: string
  /** What the button does. What it throws is shown; without a fault the dialog closes. */
  work: () => Promise<unknown>
  /** The lists that it changes, as `invalidate` takes them. */
  changes?: readonly string[]
  /** What a message says when it is done, such as `Key revoked.` */
  done?: string
  /** What the other button says, which closes it. */
  cancel?: string
  /** Runs when it is done; closes the dialog when absent. */
  onDone?: () => void
}

interface FormDialogProps extends ActionDialogProps {
  /** Whether something is missing, so that the form cannot be sent. */
  disabled?: boolean
  /** Called when the form is to be sent; false holds it back, for fields that say what is wrong. */
  check?: () => boolean
  /** How its button looks where there are no fields: then the focus is on *Cancel*, if that loses nothing. */
  question?: 'primary' | 'danger'
}

export const FormDialog = ({
  title, description, children, persistent, confirm, cancel = 'Cancel', work, changes = [], done,
  onClose = closeDialog, onDone = onClose, disabled = false, check = () => true, question
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
      title={title} description={description} persistent={persistent} onClose={onClose}
      onSubmit={() => { if (!disabled && check()) run() }}
      footer={
        <>
          <Button onClick={onClose} data-autofocus={persistent ? undefined : question}>{cancel}</Button>
          <Button variant={question ?? 'primary'} type='submit' pending={pending} disabled={disabled}>{confirm}</Button>
        </>
      }
    >
      {children}
      {error !== undefined && <ErrorNote>{error}</ErrorNote>}
    </Dialog>
  )
}

export const ConfirmDialog = ({ danger = true, ...props }: ActionDialogProps & { danger?: boolean }) =>
  <FormDialog {...props} question={danger ? 'danger' : 'primary'} />
