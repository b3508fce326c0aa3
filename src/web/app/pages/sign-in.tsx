/** Signing in by the link that the server or an administrator gave. */
import { useEffect, useState } from 'preact/hooks'
import { returnPath } from '../../page-paths.js'
import { messageOf } from '../api/problem.js'
import { requestJson } from '../api/request.js'
import { Card } from '../components/card.js'
import { ErrorNote } from '../components/error-note.js'
import { SkeletonText } from '../components/states.js'

/** Takes a value out of the fragment of the address, and the fragment out of the history, so that nobody finds it there. */
const takeFragment = (name: string): string | undefined => {
  const value = new URLSearchParams(location.hash.slice(1)).get(name)
  if (value === null) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return value
}

const target = (): string => returnPath(new URLSearchParams(location.search).get('return'))

const SignIn = () => {
  const [token] = useState(() => takeFragment('token'))
  const [error, setError] = useState<string>()
  useEffect(() => {
    if (token === undefined) return
    requestJson('POST', '/sign-in/link', { body: { token }, publicRequest: true })
      .then(() => location.replace(target()), (failure: unknown) => setError(messageOf(failure)))
  }, [token])
  return (
    <>
      <h1 class='sign-in-title'>Sign in</h1>
      <Card>
        {error !== undefined && <ErrorNote>{error}</ErrorNote>}
        {token !== undefined && error === undefined
          ? <SkeletonText lines={2} />
          : (
            <p>
              Open the sign-in link that the server printed when it started, or ask for another one:{' '}
              <code>exploration-mcp sign-in-link --user EMAIL</code>.
            </p>
            )}
      </Card>
    </>
  )
}

export default SignIn
