/** Texts to copy: a button, an address or a file with one, a secret that is shown once. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { classNames } from './class-names.js'
import { Icon } from './icon.js'
import { Note } from './states.js'
import './copy.css'

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

export interface CodeFieldProps {
  text: string
  /** What it is, for screen readers and the name of the button: `endpoint`. */
  label: string
  multiline?: boolean
  wrap?: boolean
}

export const CodeField = ({ text, label, multiline = false, wrap = false }: CodeFieldProps) => (
  <div class={classNames('code-field', multiline && 'code-field-lines', wrap && 'code-field-wrap')}>
    {/* Scrolled by the keyboard, so it takes the focus. */}
    {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <pre tabIndex={0} role='region' aria-label={label}><code>{text}</code></pre>
    <CopyButton text={text} label={`Copy ${label}`} />
  </div>
)

export const SecretReveal = ({ secret, kind }: { secret: string, kind: string }) => (
  <div class='secret-reveal'>
    <Note tone='warn'>
      This is the only time that this {kind} is shown. The server keeps a hash of it, nothing more.
    </Note>
    <div class='secret'>
      <code class='secret-text' data-secret translate={false}>{secret}</code>
      <CopyButton text={secret} />
    </div>
  </div>
)
