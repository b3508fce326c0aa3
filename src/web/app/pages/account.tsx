/** The person's account: name and preferences, passkeys, sessions. */
import { Card, PageHeader } from '../components/layout.js'
import { Button } from '../components/button.js'
import { ErrorNote } from '../components/states.js'
import { useAction } from '../api/action.js'
import { signOut } from '../lib/session.js'
import { Passkeys } from './account/passkeys.js'
import { Preferences } from './account/preferences.js'
import { Sessions } from './account/sessions.js'
import './account.css'

const Account = () => {
  const leave = useAction(signOut)
  return (
    <>
      <PageHeader title='Account' description='How others see you, how you sign in, and where you are signed in.' />
      <Preferences />
      <Passkeys />
      <Sessions />
      <Card
        title='Sign out' description='Ends the session of this browser. Keys and tokens go on working.'
        actions={<Button icon='signOut' pending={leave.pending} onClick={() => leave.run()}>Sign out</Button>}
      >
        {leave.error === undefined ? undefined : <ErrorNote>{leave.error}</ErrorNote>}
      </Card>
    </>
  )
}

export default Account
