/** The person's personal access tokens. */
import { useState } from 'preact/hooks'
import { Button } from '../components/button.js'
import { PageHeader } from '../components/page-header.js'
import { CreateFlow } from '../credentials/create-flow.js'
import { TOKENS } from '../credentials/credential-kinds.js'
import { CredentialsCard } from '../credentials/credentials-card.js'

const Tokens = () => {
  const [creating, setCreating] = useState(false)
  const close = (): void => setCreating(false)
  return (
    <>
      <PageHeader
        title='Tokens'
        description={'A token stands for you, on a machine of yours. exploration-mcp init makes one for each agent ' +
          'that it connects.'}
        actions={<Button variant='primary' icon='plus' onClick={() => setCreating(true)}>Create token</Button>}
      />
      <CredentialsCard kind={TOKENS} onCreate={() => setCreating(true)} />
      {creating && <CreateFlow kind={TOKENS} onDone={close} onClose={close} />}
    </>
  )
}

export default Tokens
