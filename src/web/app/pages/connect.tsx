/** How each agent or application is connected: with a key in its configuration, or by signing in. */
import { PageHeader } from '../components/layout.js'
import { ErrorState } from '../components/states.js'
import { Tabs } from '../components/choices.js'
import { useOperation } from '../api/resource.js'
import { useQueryState } from '../lib/query-state.js'
import { KeyWay } from './connect/key-way.js'
import { SignInWay } from './connect/sign-in-way.js'
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
  const { value: guide, error, retry, pending } = useOperation('GET /connect')
  const { values, set } = useQueryState(['way', 'agent'])
  const way: Way = values.way === 'sign-in' && guide?.oauth !== null ? 'sign-in' : 'key'
  if (error !== undefined && !guide) return <ErrorState message={error} onRetry={retry} pending={pending} />
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
        ? <KeyWay guide={guide} chosen={values.agent} onChoose={(agent) => set({ agent })} />
        : <SignInWay oauth={guide?.oauth ?? undefined} chosen={values.agent} onChoose={(agent) => set({ agent })} />}
    </>
  )
}

export default Connect
