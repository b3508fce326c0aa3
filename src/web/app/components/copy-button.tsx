/**
 * Copies a text. Says `Copied` for two seconds; without a clipboard (plain http) it selects the text by the old
 * command.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { copyText } from '../lib/copy-text.js'
import { Icon } from './icon.js'
import './copy-button.css'

const SHOWN_MS = 2000

export interface CopyButtonProps {
  text: string
  /** The name of the button where there are several: `Copy endpoint`. It begins with what is shown. */
  label?: string
  /** Shows the icon alone. */
  iconOnly?: boolean
  onCopied?: () => void
}

/** Draws the button; `onCopied` runs once the text is in the clipboard. */
export const CopyButton = ({ text, label = 'Copy', iconOnly = false, onCopied }: CopyButtonProps) => {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = (copied: boolean): void => {
    setState(copied ? 'copied' : 'failed')
    if (copied) onCopied?.()
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setState('ready'), SHOWN_MS)
  }
  const caption = { ready: 'Copy', copied: 'Copied', failed: 'Press Ctrl+C' }[state]
  return (
    <button
      type='button'
      class='copy-button'
      aria-label={state === 'ready' ? label : undefined}
      title={iconOnly ? label : undefined}
      onClick={() => { copyText(text).then(show, () => show(false)) }}
    >
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span class={iconOnly ? 'visually-hidden' : 'copy-label'} aria-live='polite'>{caption}</span>
    </button>
  )
}
