/** Connecting an agent with a key or a token: by one command, or in three steps. */
import { useState } from 'preact/hooks'
import { fillLink } from '../../../../administration/views/fill-link.js'
import type { Answer } from '../../api/call.js'
import { Button } from '../../components/button.js'
import { Card } from '../../components/layout.js'
import { CodeField } from '../../components/copy.js'
import { Note, Skeleton } from '../../components/states.js'
import { TextField } from '../../components/fields.js'
import { API_KEYS } from '../../credentials/credential-kinds.js'
import { CreateFlow } from '../../credentials/create-flow.js'
import { TestConnection } from '../../credentials/test-connection.js'
import { AgentList, Guide, type WayProps } from './guide.js'

type Connect = Answer<'GET /connect'>
type AgentGuide = Connect['agents'][number]

const PLACEHOLDER = '<secret>'

export const KeyWay = ({ guide, chosen, onChoose }: WayProps<Connect>) => {
  const [secret, setSecret] = useState('')
  const [creating, setCreating] = useState(false)
  const agent = guide?.agents.find(({ id }) => id === chosen) ?? guide?.agents[0]
  return (
    <>
      <Card
        title='On this machine, in one command'
        description='It finds the agents, asks for your approval in this browser, writes the entries and tests them.'
      >
        {guide ? <CodeField label='command' text={guide.init_command} /> : <Skeleton height='2rem' />}
      </Card>
      <Card
        title='1. A key' description={'The guides below contain it as soon as it is there. This page forgets it when ' +
          'you leave.'}
        actions={<Button variant='primary' icon='plus' onClick={() => setCreating(true)}>Create key</Button>}
      >
        <TextField
          label='Key or token' value={secret} onInput={(value) => setSecret(value.trim())} code
          placeholder='svc_key_…' spellcheck={false} maxLength={512} hint='Create one, or paste one that you have.'
        />
      </Card>
      <Card title='2. The entry' description={<>The endpoint is <code>{guide?.endpoint ?? '…'}</code></>}>
        <AgentList agents={guide?.agents} chosen={agent?.id} onChoose={onChoose}>
          {agent && <KeyGuide key={agent.id} agent={agent} secret={secret} />}
        </AgentList>
      </Card>
      <Card
        title='3. The test'
        description='A real handshake with this key in both eras of the protocol, from the server to itself.'
      >
        {secret === ''
          ? <Note>Create a key in step 1, or paste one, to test it.</Note>
          : <TestConnection key={secret} secret={secret} />}
      </Card>
      {creating && (
        <CreateFlow
          kind={API_KEYS} name={agent?.id} onClose={() => setCreating(false)}
          onDone={(created) => {
            setSecret(created.secret)
            setCreating(false)
          }}
        />
      )}
    </>
  )
}

const KeyGuide = ({ agent, secret }: { agent: AgentGuide, secret: string }) => (
  <Guide
    agent={agent} link={secret !== '' && agent.secret_link ? fillLink(agent.secret_link, secret) : agent.link}
    linkNote={secret === '' ? agent.link_note : undefined}
    fill={(text) => secret === '' ? text : text.replaceAll(PLACEHOLDER, () => secret)}
  />
)
