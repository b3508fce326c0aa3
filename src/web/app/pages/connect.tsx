/** How each agent or application is connected: with a key in its configuration, or by signing in. */
import { CodeField } from '../components/code-field.js'
import { Card, PageHeader, Tabs } from '../components/layout.js'
import { ErrorState, Skeleton } from '../components/states.js'
import type { Answer } from '../api/call.js'
import { useOperation } from '../api/resource.js'
import { useQueryState } from '../lib/query-state.js'
import { AgentList, Guide, KeyWay, type WayProps } from './connect/guide.js'
import './connect.css'

type Way = 'key' | 'sign-in'

const WAYS: ReadonlyArray<{ value: Way, label: string }> = [
  { value: 'key', label: 'With a key' }, { value: 'sign-in', label: 'By signing in' }
]
const SENTENCES: Record<Way, string> = {
  key: 'Three steps: a key, the entry in your agent, a test. The first command below does all of them at once.',
  'sign-in': 'For Claude.ai, ChatGPT and editors that sign you in: they take an address, and no secret.'
}

const Connect = () => {
  const { value: guide, error, ...loading } = useOperation('GET /connect')
  const { values, set } = useQueryState(['way', 'agent'])
  const way: Way = values.way === 'sign-in' && guide?.oauth !== null ? 'sign-in' : 'key'
  const choice = { chosen: values.agent, onChoose: (agent: string): void => set({ agent }) }
  if (error !== undefined && !guide) return <ErrorState error={error} {...loading} />
  return (
    <>
      <PageHeader title='Connect an agent' description={SENTENCES[way]} />
      {guide?.oauth !== null && (
        <div class='connect-ways'>
          <Tabs
            label='How' value={way} onChange={(next) => set({ way: next === 'key' ? '' : next, agent: '' })} tabs={WAYS}
          />
        </div>
      )}
      {way === 'key'
        ? <KeyWay guide={guide} {...choice} />
        : <SignInWay guide={guide?.oauth ?? undefined} {...choice} />}
    </>
  )
}

type OAuth = NonNullable<Answer<'GET /connect'>['oauth']>

/** For an application that signs its user in: it takes the address, and leads the person back here. */
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

export default Connect
