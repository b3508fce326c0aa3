/** The address of the MCP server, and the person's API keys. */
import { Card } from '../components/layout.js'
import { CodeField } from '../components/code-field.js'
import { Skeleton } from '../components/states.js'
import { API_KEYS } from '../credentials/credential-kinds.js'
import { CredentialsPage } from '../credentials/credentials-page.js'
import { useSessionState } from '../lib/session.js'

const Developer = () => {
  const endpoint = useSessionState()?.session.server.endpoint
  return (
    <CredentialsPage
      kind={API_KEYS} title='API keys'
      description={'A key lets a program in as you, within its scope and workspaces. One that you revoke is refused ' +
        'at its next call.'}
    >
      <Card
        title='MCP server'
        description={<>Where agents send their requests. <a href='/integrations/connect'>Connect an agent</a></>}
        actions={
          <div class='endpoint'>
            {endpoint === undefined ? <Skeleton height='2rem' /> : <CodeField label='endpoint' text={endpoint} />}
          </div>
        }
      />
    </CredentialsPage>
  )
}

export default Developer
