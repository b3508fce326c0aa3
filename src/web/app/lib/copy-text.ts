/**
 * Copies a text. Where the page has no clipboard, as under plain http outside localhost, an invisible field is copied
 * by the old command.
 * @returns whether it was copied
 */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    // Absent outside secure contexts, whatever its type says.
    const clipboard: Clipboard | undefined = navigator.clipboard
    if (clipboard) {
      await clipboard.writeText(text)
      return true
    }
  } catch {
    // Refused by the browser: the other way may work.
  }
  return copyBySelection(text)
}

const copyBySelection = (text: string): boolean => {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'visually-hidden'
  // Inside an open dialog, as nothing else can have the focus.
  const parent = document.querySelector('dialog[open]') ?? document.body
  const focused = document.activeElement
  parent.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
