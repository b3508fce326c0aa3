/**
 * A sign-in link that is opened where another person is signed in: it works only after a click, so that a link cannot
 * move a person into an account that is not theirs.
 */
import { useAction } from '../../api/action.js'
import type { SignedIn } from '../../api/answers.js'
import { callSignIn } from '../../api/sign-in.js'
import { Button } from '../../components/button.js'
import { ErrorNote } from '../../components/states.js'

type Person = Pick<SignedIn['user'], 'name' | 'email'>

export interface SwitchAccountProps {
  token: string
  /** Who is signed in. */
  current: Person
  /** Whose link it is. */
  other: Person
  onEntered: () => void
  onStay: () => void
}

export const SwitchAccount = ({ token, current, other, onEntered, onStay }: SwitchAccountProps) => {
  const { run, pending, error } = useAction(async () => {
    await callSignIn('POST /sign-in/link', { token })
    onEntered()
  })
  return (
    <div class='sign-in'>
      <header>
        <h1>{`Sign in as ${other.name} instead?`}</h1>
        <p>You are signed in as <b>{current.name}</b> ({current.email}).</p>
      </header>
      <p>
        The link that you opened signs in <b>{other.name}</b> ({other.email}) and ends your session here. Stay if you
        did not ask for it: what you do afterwards, such as approving a device, is done as {other.name}.
      </p>
      {error !== undefined && <ErrorNote>{error}</ErrorNote>}
      <div class='sign-in-ways'>
        <Button variant='primary' block onClick={onStay}>{`Stay ${current.name}`}</Button>
        <Button block pending={pending} onClick={() => run()}>{`Sign in as ${other.name}`}</Button>
      </div>
    </div>
  )
}
