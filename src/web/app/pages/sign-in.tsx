/** Signing in: by a link, an invitation, a passkey or the provider of the organisation. */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { returnPath, type OidcError } from '../../page-paths.js'
import { useAction } from '../api/action.js'
import { messageOf, RequestError } from '../api/problem.js'
import { call, type Answer } from '../api/call.js'
import { Button, LinkButton } from '../components/button.js'
import { ErrorNote, Note, Skeleton } from '../components/states.js'
import { BASE_PATH } from '../lib/base-path.js'
import { hadSession } from '../lib/session.js'
import { canUsePasskeys, offerPasskey, signInWithPasskey } from '../lib/passkeys.js'
import { AcceptInvitation, SwitchAccount, type SwitchAccountProps } from './sign-in/links.js'
import './sign-in.css'

const SENTENCES: Readonly<Record<OidcError, string>> = {
  oidc_unavailable: 'The provider does not answer. Try again in a minute, or sign in another way.',
  oidc_expired: 'That took longer than ten minutes, or began in another browser. Try again.',
  oidc_denied: 'The sign-in was refused at the provider.',
  oidc_failed: 'The answer of the provider was not valid. Try again; if it stays, tell an administrator: the log of ' +
    'the server has the cause.',
  oidc_email: 'The provider gave no verified e-mail address. Verify yours there, then try again.',
  oidc_not_allowed: 'This account may not sign in here. Ask an administrator to invite you.',
  oidc_busy: 'There were too many attempts from your network. Try again in a minute.'
}

/** The sentence for the code in the page's address; undefined when there is none, or it is not known. */
const providerError = (search: string): string | undefined => {
  const code = new URLSearchParams(search).get('error')
  return Object.entries(SENTENCES).find(([known]) => known === code)?.[1]
}

/** Takes a value out of the fragment, and the fragment out of the history, so that no one finds it there. */
const takeFragment = (name: string): string | undefined => {
  const value = new URLSearchParams(location.hash.slice(1)).get(name)
  if (value === null) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return value
}

/** Where the person wanted to go. */
const target = (): string => returnPath(new URLSearchParams(location.search).get('return'))

/** The page is loaded anew, so that nothing of before is left. */
const enter = (): void => location.replace(BASE_PATH + target())

/** For people who came by a link or an invitation: next time a passkey is easier. */
const enterWithOffer = (): void => {
  offerPasskey()
  enter()
}

const SignIn = () => {
  const [token] = useState(() => takeFragment('token'))
  const [invitation] = useState(() => takeFragment('invitation'))
  // A link that is opened in the window of this page changes only the fragment, and loads nothing. The listener stands
  // as soon as the fragment has been read: an effect after the first paint would miss a change between the two.
  useLayoutEffect(() => {
    const reload = (): void => location.reload()
    addEventListener('hashchange', reload)
    return () => removeEventListener('hashchange', reload)
  }, [])
  if (invitation !== undefined) return <AcceptInvitation token={invitation} onAccepted={enterWithOffer} />
  return <Ways token={token} />
}

type SignInOptions = Answer<'GET /sign-in-options'>
type Accounts = Pick<SwitchAccountProps, 'current' | 'other'>

/**
 * Signs in with the token where that needs no question, and enters. A person who is signed in enters also without a
 * token, and with one that does not work any more.
 * @returns both accounts when another person is signed in, who has to be asked
 * @throws {RequestError} when the token does not work
 */
const followLink = async (
  token: string | undefined, current: SignInOptions['user']
): Promise<Accounts | undefined> => {
  if (current === undefined && token === undefined) return undefined
  if (current !== undefined) {
    const isUsed = (error: unknown): undefined => {
      if (!(error instanceof RequestError && error.status === 401)) throw error
    }
    const link =
      token === undefined ? undefined : await call('POST /sign-in/link/lookup', { body: { token } }).catch(isUsed)
    if (!link) {
      enter()
      return undefined
    }
    if (link.user.id !== current.id) return { current, other: link.user }
  }
  if (token !== undefined) await call('POST /sign-in/link', { body: { token } })
  enterWithOffer()
  return undefined
}

const Ways = ({ token }: { token: string | undefined }) => {
  const [options, setOptions] = useState<SignInOptions>()
  const [failure, setFailure] = useState(() => providerError(location.search))
  const [entering, setEntering] = useState(token !== undefined)
  const [accounts, setAccounts] = useState<Accounts>()
  useEffect(() => {
    call('GET /sign-in-options').then((found) => {
      setOptions(found)
      return followLink(token, found.user)
    }).then(setAccounts, (error: unknown) => {
      setFailure(messageOf(error))
      setEntering(false)
    })
  }, [token])
  const passkey = useAction(async () => {
    await signInWithPasskey()
    setEntering(true)
    enter()
  })
  const error = passkey.error ?? failure
  if (token !== undefined && accounts) {
    return <SwitchAccount token={token} {...accounts} onEntered={enterWithOffer} onStay={enter} />
  }
  return (
    <div class='sign-in'>
      <header>
        <h1>{entering ? 'Signing you in…' : 'Sign in'}</h1>
        <p>Plans for people and for their agents.</p>
      </header>
      {error !== undefined && <ErrorNote>{error}</ErrorNote>}
      {!entering && error === undefined && hadSession() && (
        <Note role='status'>Your session ended. Sign in to go on; what you had typed is kept in this browser.</Note>
      )}
      {entering
        ? <Skeleton height='2rem' />
        : (
          <div class='sign-in-ways'>
            {options && <Buttons options={options} pending={passkey.pending} onPasskey={() => passkey.run()} />}
            {!options && failure === undefined && <Skeleton height='2rem' />}
          </div>
          )}
      <div class='sign-in-hint'>
        <p>
          <b>By a link.</b> This command prints one on the machine of the server. It works once, within 15 minutes:
        </p>
        {options && <code>{options.link_command}</code>}
      </div>
    </div>
  )
}

const Buttons = (
  { options, pending, onPasskey }: { options: SignInOptions, pending: boolean, onPasskey: () => void }
) => (
  <>
    {options.oidc && (
      <LinkButton variant='primary' block href={`${options.oidc.start_url}?return=${encodeURIComponent(target())}`}>
        {`Continue with ${options.oidc.name}`}
      </LinkButton>
    )}
    {options.passkeys && canUsePasskeys() && (
      <Button
        variant={options.oidc ? 'secondary' : 'primary'} icon='passkey' block pending={pending} onClick={onPasskey}
      >
        Use a passkey
      </Button>
    )}
  </>
)

export default SignIn
