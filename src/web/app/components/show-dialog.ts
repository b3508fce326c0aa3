/** The dialog that is open: one at a time, opened from anywhere. */
import type { VNode } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'

let draw: (dialog: VNode | undefined) => void = () => {}

/** Opens a dialog, which stays until `closeDialog`, or until another page is shown. */
export const showDialog = (dialog: VNode): void => draw(dialog)
export const closeDialog = (): void => draw(undefined)

/** Where dialogs stand: once, beside the shell. */
export const Dialogs = () => {
  const [dialog, setDialog] = useState<VNode>()
  const { path } = useLocation()
  draw = setDialog
  useEffect(closeDialog, [path])
  return dialog ?? null
}
