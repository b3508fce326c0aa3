/** A request that is not put to the person: what was wrong with it, and what to do. */
import { escapeInvisible } from '../../../../lib/text/invisible.js'
import type { Answer } from '../../api/call.js'
import { ErrorNote } from '../../components/error-note.js'
import { LinkButton } from '../../components/button.js'

export interface RefusedProps {
  /** What was wrong, as a sentence. */
  message: string
  /** Where the application may be told so; nobody is led there unasked. */
  redirect: Answer<'POST /oauth/consent/error'>['redirect']
}

/** Draws the reason, and a link back to the application where there is one. */
export const Refused = ({ message, redirect }: RefusedProps) => (
  <div class='consent'>
    <header>
      <h1>Nothing was allowed</h1>
      <p>An application asked to be connected, but its request could not be put to you.</p>
    </header>
    <ErrorNote>{escapeInvisible(message)}</ErrorNote>
    <p class='consent-more'>
      Go back to the application and start the connection there once more. If this page comes again, its makers or the
      administrator of this server can tell why.
    </p>
    <div class='consent-links'>
      {redirect !== null && /^https?:/.test(redirect.to) && (
        <LinkButton href={redirect.to} rel='noreferrer'>{`Tell ${redirect.host}`}</LinkButton>
      )}
      <LinkButton variant='ghost' href='/settings/connections'>Connected applications</LinkButton>
    </div>
  </div>
)
