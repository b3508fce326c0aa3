/**
 * A modal dialog: the browser's own element, so focus stays inside and what is behind cannot be reached. It is open
 * while it is rendered.
 */
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import './dialog.css'

export interface DialogProps {
  title: ComponentChildren
  description?: ComponentChildren
  children?: ComponentChildren
  /** The buttons, the main one last. */
  footer?: ComponentChildren
  /** Called for Escape and for a press beside the dialog. */
  onClose: () => void
  /** Whether only a button closes it: for what is shown once. */
  persistent?: boolean
  /** Makes the dialog a form: Enter submits it. */
  onSubmit?: () => void
  wide?: boolean
}

/** Draws the dialog. Escape and a click beside it close it, unless it is `persistent`; Enter submits it. */
export const Dialog = (
  { title, description, children, footer, onClose, persistent = false, onSubmit, wide = false }: DialogProps
) => {
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
          {description !== undefined && <p id={`${id}-description`}>{description}</p>}
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
