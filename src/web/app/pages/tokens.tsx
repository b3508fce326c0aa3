/** The person's personal access tokens. */
import { TOKENS } from '../credentials/credential-kinds.js'
import { CredentialsPage } from '../credentials/credentials-page.js'

const Tokens = () => (
  <CredentialsPage
    kind={TOKENS} title='Tokens'
    description={(
      <>A token stands for you, on a machine of yours. <code>init</code> makes one for each agent that it connects.</>
    )}
  />
)

export default Tokens
