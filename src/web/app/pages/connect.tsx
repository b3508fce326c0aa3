/** How each agent or application is connected: with a key in its configuration, or by signing in. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { fillLink } from '../../../administration/views/fill-link.js'
import type { Answer } from '../api/call.js'
import { useOperation } from '../api/resource.js'
import { Button, LinkButton } from '../components/button.js'
import { CodeField } from '../components/code-field.js'
import { TextField } from '../components/fields.js'
import { Card, PageHeader, Tabs } from '../components/layout.js'
import { ErrorState, Note, Skeleton, SkeletonText } from '../components/states.js'
import { CreateFlow } from '../credentials/create-flow.js'
import { API_KEYS } from '../credentials/credential-kinds.js'
import { TestConnection } from '../credentials/test-connection.js'
import { useQueryState } from '../lib/query-state.js'
import './connect.css'

const WAYS = [{ value: 'key', label: 'With a key' }, { value: 'sign-in', label: 'By signing in' }] as const
const SENTENCES = {
  key: 'Three steps: a key, the entry in your agent, a test. The first command below does all of them at once.',
  'sign-in': 'For Claude.ai, ChatGPT and editors that sign you in: they take an address, and no secret.'
}

const Connect = () => {
  const { value: guide, error, ...loading } = useOperation('GET /connect')
  const { values, set } = useQueryState({ way: WAYS, agent: [] })
  const way = guide?.oauth === null ? 'key' : values.way
  const choice = { chosen: values.agent, onChoose: (agent: string): void => set({ agent }) }
  if (error !== undefined && !guide) return <ErrorState error={error} {...loading} />
  return (
    <>
      <PageHeader title='Connect an agent' description={SENTENCES[way]} />
      {guide?.oauth !== null && (
        <div class='connect-ways'>
          <Tabs label='How' value={way} onChange={(next) => set({ way: next, agent: '' })} tabs={WAYS} />
        </div>
      )}
      {way === 'key'
        ? <KeyWay guide={guide} {...choice} />
        : <SignInWay guide={guide?.oauth ?? undefined} {...choice} />}
    </>
  )
}

type OAuth = NonNullable<Answer<'GET /connect'>['oauth']>

const SignInWay = ({ guide: oauth, chosen, onChoose }: WayProps<OAuth>) => {
  const agent = oauth?.guides.find(({ id }) => id === chosen) ?? oauth?.guides[0]
  return (
    <>
      <Card
        title='The address'
        description='It is another one than that for keys. Give it to an application as it is, with its path.'
      >
        {oauth ? <CodeField label='address' text={oauth.endpoint} /> : <Skeleton height='2rem' />}
      </Card>
      <Card title='The application' description='It leads you here, and you say which workspaces it may read.'>
        <AgentList agents={oauth?.guides} chosen={agent?.id} onChoose={onChoose}>
          {agent && <Guide key={agent.id} agent={agent} link={agent.link} />}
        </AgentList>
      </Card>
      <Card title='Afterwards' description='What you allowed, and its use.'>
        <p>
          Each application is listed under <a href='/settings/connections'>Connected applications</a>, with its last
          use, until you disconnect it.
        </p>
      </Card>
    </>
  )
}

type ConnectGuide = Answer<'GET /connect'>
type AgentGuide = ConnectGuide['agents'][number]

interface GuideProps {
  agent: Omit<AgentGuide, 'id' | 'secret_link' | 'link'>
  link: string | undefined
  linkNote?: ComponentChildren
  /** Puts what is not in the guide into its texts. */
  fill?: (text: string) => string
}

const Guide = ({ agent, link, linkNote, fill = (text) => text }: GuideProps) => (
  <article class='connect-guide' aria-label={agent.name}>
    <header>
      <h3>{agent.name}</h3>
      <p class='quiet'>
        {agent.instructions} <a href={agent.docs} target='_blank' rel='noreferrer'>Its documentation</a>
      </p>
    </header>
    {link !== undefined && (
      <div class='connect-link'>
        <LinkButton variant='secondary' icon='external' href={link}>{`Add to ${agent.name}`}</LinkButton>
        {linkNote !== undefined && <span class='field-hint'>{linkNote}</span>}
      </div>
    )}
    {agent.command !== undefined && (
      <div class='field'>
        <span class='field-label'>Command</span>
        <CodeField label={`command for ${agent.name}`} text={fill(agent.command)} wrap />
      </div>
    )}
    {agent.snippet !== null && (
      <div class='field'>
        <span class='field-label'>
          Entry{agent.config_file === null ? '' : <> in <code>{agent.config_file}</code></>}
        </span>
        <CodeField label={`entry for ${agent.name}`} text={fill(agent.snippet)} multiline />
      </div>
    )}
    {agent.next_step !== '' && <p class='quiet'><b>Then:</b> {agent.next_step}</p>}
  </article>
)

interface WayProps<Guide> {
  /** Undefined while it is loaded. */
  guide: Guide | undefined
  chosen: string | undefined
  onChoose: (id: string) => void
}

interface AgentListProps extends Omit<WayProps<unknown>, 'guide'> {
  agents: ReadonlyArray<{ id: string, name: string }> | undefined
  children: ComponentChildren
}

const AgentList = ({ agents, chosen, onChoose, children }: AgentListProps) => (
  <div class='connect-guides'>
    <div class='connect-agents' role='group' aria-label='Agent'>
      {agents
        ? agents.map(({ id, name }) => (
          <button
            key={id} type='button' class='connect-agent' aria-pressed={id === chosen} onClick={() => onChoose(id)}
          >{name}
          </button>
        ))
        : Array.from({ length: 12 }, (_, index) => (
          <div key={index} class='connect-agent'><Skeleton width='5rem' /></div>
        ))}
    </div>
    {children ?? <SkeletonText lines={6} />}
  </div>
)

const PLACEHOLDER = '<secret>'

const KeyWay = ({ guide, chosen, onChoose }: WayProps<ConnectGuide>) => {
  const [secret, setSecret] = useState('')
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
        actions={
          <Button
            variant='primary' icon='plus'
            dialog={<CreateFlow kind={API_KEYS} name={agent?.id} onDone={(created) => setSecret(created.secret)} />}
          >Create key
          </Button>
        }
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

export default Connect
