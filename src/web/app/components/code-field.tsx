/** A text to copy: an address, a command, a file. */
import { classNames } from './class-names.js'
import { CopyButton } from './copy-button.js'
import './code-field.css'

export interface CodeFieldProps {
  text: string
  /** What it is, for screen readers and the name of the button: `endpoint`. */
  label: string
  /** Several lines, as a file has them. */
  multiline?: boolean
  /** Breaks the text, so that all of it is seen. */
  wrap?: boolean
}

/** Draws the text with its copy button; `label` names it for screen readers. */
export const CodeField = ({ text, label, multiline = false, wrap = false }: CodeFieldProps) => (
  <div class={classNames('code-field', multiline && 'code-field-lines', wrap && 'code-field-wrap')}>
    {/* Scrolled by the keyboard, so it takes the focus. */}
    {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <pre tabIndex={0} role='region' aria-label={label}><code>{text}</code></pre>
    <CopyButton text={text} label={`Copy ${label}`} />
  </div>
)
