/** A secret that is shown once: all of it, to copy. */
import { CopyButton } from './copy-button.js'
import { Note } from './note.js'
import './secret-reveal.css'

export interface SecretRevealProps {
  secret: string
  /** What it is: `key`, `token`. */
  kind: string
}

/** Draws the secret with its copy button and the warning that it is not shown again. */
export const SecretReveal = ({ secret, kind }: SecretRevealProps) => (
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
