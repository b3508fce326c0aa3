/** The address of the MCP server, and the person's API keys. */
import { useState } from 'preact/hooks'
import { Button } from '../components/button.js'
import { Card } from '../components/card.js'
import { CodeField } from '../components/code-field.js'
import { PageHeader } from '../components/page-header.js'
import { Skeleton } from '../components/states.js'
import { API_KEYS } from '../credentials/credential-kinds.js'
import { CreateFlow } from '../credentials/create-flow.js'
import { CredentialsCard } from '../credentials/credentials-card.js'
import { useSessionState } from '../lib/session.js'

const Developer = () => {
  const endpoint = useSessionState()?.session.server.endpoint
  const [creating, setCreating] = useState(false)
  const close = (): void => setCreating(false)
  return (
    <>
      <PageHeader
        title='Developer'
        description={'A key lets a program in as you, within its scope and workspaces. One that you revoke is ' +
          'refused at its next call.'}
        actions={<Button variant='primary' icon='plus' onClick={() => setCreating(true)}>Create key</Button>}
      />
      <Card
        title='MCP server'
        description={<>Where agents send their requests. <a href='/integrations/connect'>Connect an agent</a></>}
        actions={
          <div class='endpoint'>
            {endpoint === undefined ? <Skeleton height='2rem' /> : <CodeField label='endpoint' text={endpoint} />}
          </div>
        }
      />
      <CredentialsCard kind={API_KEYS} onCreate={() => setCreating(true)} />
      {creating && <CreateFlow kind={API_KEYS} onDone={close} onClose={close} />}
    </>
  )
}

export default Developer
