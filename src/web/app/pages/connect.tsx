/** How each coding agent is connected: a command, a button, or an entry in a file. */
import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { fillLink } from '../../api/fill-link.js'
import type { Answer } from '../api/call.js'
import { useOperation } from '../api/resource.js'
import { Button, LinkButton } from '../components/button.js'
import { Card } from '../components/card.js'
import { CodeField } from '../components/code-field.js'
import { Note } from '../components/note.js'
import { PageHeader } from '../components/page-header.js'
import { ErrorState, Skeleton, SkeletonText } from '../components/states.js'
import { TextField } from '../components/text-field.js'
import { API_KEYS } from '../credentials/credential-kinds.js'
import { CreateFlow } from '../credentials/create-flow.js'
import { TestConnection } from '../credentials/test-connection.js'
import './connect.css'

type Agent = Answer<'GET /connect'>['agents'][number]

const PLACEHOLDER = '<secret>'

const Connect = () => {
  const { value: guide, error, reload, pending } = useOperation('GET /connect')
  const { query, path, route } = useLocation()
  const [secret, setSecret] = useState('')
  const [creating, setCreating] = useState(false)
  const agent = guide?.agents.find(({ id }) => id === query['agent']) ?? guide?.agents[0]
  if (error !== undefined && !guide) return <ErrorState message={error} onRetry={reload} pending={pending} />
  return (
    <>
      <PageHeader
        title='Connect an agent'
        description={'Three steps: a key, the entry in your agent, a test. The first command below does all of them ' +
          'at once.'}
      />
      <Card
        title='On this machine, in one command'
        description='It finds the agents, asks for your approval in this browser, writes the entries and tests them.'
      >
        {guide ? <CodeField label='command' text={guide.init_command} /> : <Skeleton height='2rem' />}
      </Card>
      <Card
        title='1. A key'
        description='The guides below contain it as soon as it is there. This page forgets it when you leave.'
        actions={<Button variant='primary' icon='plus' onClick={() => setCreating(true)}>Create key</Button>}
      >
        <TextField
          label='Key or token'
          value={secret}
          onInput={(value) => setSecret(value.trim())}
          code
          placeholder='svc_key_…'
          spellcheck={false}
          maxLength={512}
          hint='Create one, or paste one that you have.'
        />
      </Card>
      <Card title='2. The entry' description={<>The endpoint is <code>{guide?.endpoint ?? '…'}</code></>}>
        <div class='connect-guides'>
          <div class='connect-agents' role='group' aria-label='Agent'>
            {guide
              ? guide.agents.map(({ id, name }) => (
                <button
                  key={id} type='button' class='connect-agent' aria-pressed={id === agent?.id}
                  onClick={() => route(`${path}?agent=${encodeURIComponent(id)}`, true)}
                >{name}
                </button>
              ))
              : Array.from({ length: 12 }, (_, index) => (
                <div key={index} class='connect-agent'><Skeleton width='5rem' /></div>
              ))}
          </div>
          {agent ? <Guide key={agent.id} agent={agent} secret={secret} /> : <SkeletonText lines={6} />}
        </div>
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

const Guide = ({ agent, secret }: { agent: Agent, secret: string }) => {
  const filled = (text: string): string => secret === '' ? text : text.replaceAll(PLACEHOLDER, () => secret)
  const link = secret !== '' && agent.secret_link ? fillLink(agent.secret_link, secret) : agent.link
  return (
    <article class='connect-guide' aria-label={agent.name}>
      <header>
        <h3>{agent.name}</h3>
        <p>{agent.instructions} <a href={agent.docs} target='_blank' rel='noreferrer'>Its documentation</a></p>
      </header>
      {link !== undefined && (
        <div class='connect-link'>
          <LinkButton variant='secondary' icon='external' href={link}>{`Add to ${agent.name}`}</LinkButton>
          {agent.link_note !== undefined && secret === '' && <span class='field-hint'>{agent.link_note}</span>}
        </div>
      )}
      {agent.command !== undefined && (
        <div class='field'>
          <span class='field-label'>Command</span>
          <CodeField label={`command for ${agent.name}`} text={filled(agent.command)} wrap />
        </div>
      )}
      {agent.snippet !== null && (
        <div class='field'>
          <span class='field-label'>
            Entry{agent.config_file === null ? '' : <> in <code>{agent.config_file}</code></>}
          </span>
          <CodeField label={`entry for ${agent.name}`} text={filled(agent.snippet)} multiline />
        </div>
      )}
      <p class='connect-next'><b>Then:</b> {agent.next_step}</p>
    </article>
  )
}

export default Connect
