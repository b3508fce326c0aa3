/** Texts with a button that copies them: an address, a command, a file; a secret that is shown once. */
import { classNames } from './class-names.js'
import { CopyButton } from './copy-button.js'
import { Note } from './states.js'
import './code-field.css'

interface CodeFieldProps {
  text: string
  /** What it is, for screen readers and the name of the button: `endpoint`. */
  label: string
  multiline?: boolean
  wrap?: boolean
}

export const CodeField = ({ text, label, multiline = false, wrap = false }: CodeFieldProps) => (
  <div class={classNames('code-field', multiline && 'code-field-lines', wrap && 'code-field-wrap')}>
    {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by the keyboard */}
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
