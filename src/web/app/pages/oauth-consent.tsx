/**
 * Asks whether an application may read what the person sees: an OAuth client sent them here. `?ticket=` stands for its
 * request, which the server has checked; with `?error=` it stands for what was wrong. It is asked each time.
 */
import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import { escapeInvisible } from '../../../lib/text/invisible.js'
import { call, type Answer } from '../api/call.js'
import { messageOf } from '../api/problem.js'
import { LinkButton } from '../components/button.js'
import { ErrorNote, Skeleton, SkeletonText } from '../components/states.js'
import { Consent } from './oauth-consent/consent.js'
import './oauth-consent.css'

interface ConsentState {
  request?: Answer<'POST /oauth/consent/lookup'>
  fault?: Answer<'POST /oauth/consent/error'>
  failure?: string
}

const NO_TICKET = 'The address of this page is incomplete.'

const OAuthConsent = () => {
  const { query } = useLocation()
  const { ticket, error } = query
  const [{ request, fault, failure }, setFound] = useState<ConsentState>(
    ticket === undefined ? { failure: NO_TICKET } : {})
  useEffect(() => {
    if (ticket === undefined) return
    const body = { ticket }
    const state: Promise<ConsentState> = error === undefined
      ? call('POST /oauth/consent/lookup', { body }).then((answer) => ({ request: answer }))
      : call('POST /oauth/consent/error', { body }).then((answer) => ({ fault: answer }))
    state.then(setFound, (thrown: unknown) => setFound({ failure: messageOf(thrown) }))
  }, [ticket, error])
  if (request && ticket !== undefined) return <Consent ticket={ticket} request={request} />
  if (fault) return <Refused message={fault.description} redirect={fault.redirect} />
  if (failure !== undefined) return <Refused message={failure} redirect={null} />
  return (
    <div class='consent'>
      <header><h1>Reading the request…</h1><p><Skeleton width='14rem' /></p></header>
      <SkeletonText lines={8} />
    </div>
  )
}

interface RefusedProps {
  message: string
  /** Where the application may be told so; no one is led there unasked. */
  redirect: Answer<'POST /oauth/consent/error'>['redirect']
}

const Refused = ({ message, redirect }: RefusedProps) => (
  <div class='consent'>
    <header>
      <h1>Nothing was allowed</h1>
      <p>An application asked to be connected, but its request could not be put to you.</p>
    </header>
    <ErrorNote>{escapeInvisible(message)}</ErrorNote>
    <p class='quiet'>
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

export default OAuthConsent
