/** Copies a text; without a clipboard (plain http) it is selected and copied by the old command. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.js'
import './button.css'

const SHOWN_MS = 2000

export interface CopyButtonProps {
  text: string
  /** The name of the button where there are several: `Copy endpoint`. It begins with what is shown. */
  label?: string
  /** What is shown until it is pressed. */
  caption?: string
  iconOnly?: boolean
}

export const CopyButton = ({ text, caption: name = 'Copy', label = name, iconOnly = false }: CopyButtonProps) => {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = (copied: boolean): void => {
    setState(copied ? 'copied' : 'failed')
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setState('ready'), SHOWN_MS)
  }
  const caption = { ready: name, copied: 'Copied', failed: 'Press Ctrl+C' }[state]
  return (
    <button
      type='button' class='copy-button' aria-label={state === 'ready' ? label : undefined}
      title={iconOnly ? label : undefined} onClick={() => { copyText(text).then(show, () => show(false)) }}
    >
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span class={iconOnly ? 'visually-hidden' : 'copy-label'} aria-live='polite'>{caption}</span>
    </button>
  )
}

/** Resolves to whether it was copied. */
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
