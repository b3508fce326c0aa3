/** Connecting an application that signs its user in: it takes the address, and leads the person back here. */
import type { Answer } from '../../api/call.js'
import { Card } from '../../components/layout.js'
import { CodeField } from '../../components/copy.js'
import { Skeleton } from '../../components/states.js'
import { AgentList, Guide } from './guide.js'

type OAuth = NonNullable<Answer<'GET /connect'>['oauth']>

export interface SignInWayProps {
  /** Undefined while it is loaded. */
  oauth: OAuth | undefined
  chosen: string
  onChoose: (id: string) => void
}

export const SignInWay = ({ oauth, chosen, onChoose }: SignInWayProps) => {
  const guide = oauth?.guides.find(({ id }) => id === chosen) ?? oauth?.guides[0]
  return (
    <>
      <Card
        title='The address'
        description='It is another one than that for keys. Give it to an application as it is, with its path.'
      >
        {oauth ? <CodeField label='address' text={oauth.endpoint} /> : <Skeleton height='2rem' />}
      </Card>
      <Card title='The application' description='It leads you here, and you say which workspaces it may read.'>
        <AgentList agents={oauth?.guides} chosen={guide?.id} onChoose={onChoose}>
          {guide && <Guide key={guide.id} agent={guide} link={guide.link} />}
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
