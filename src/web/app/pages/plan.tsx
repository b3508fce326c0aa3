/** The plan of one exploration as a picture. */
import { useRoute } from 'preact-iso'
import { useOperation } from '../api/resource.js'
import { Card } from '../components/card.js'
import { Note } from '../components/note.js'
import { PageHeader } from '../components/page-header.js'
import { ErrorState, Skeleton } from '../components/states.js'
import { Time } from '../components/time.js'
import { useDocumentTitle } from '../lib/document-title.js'
import { PlanView } from '../plan/plan-view.js'
import './plan-page.css'

const Plan = () => {
  const { params: { id = '' } } = useRoute()
  const { value: plan, error, reload, pending } = useOperation('GET /explorations/:id/plan', { params: { id } })
  useDocumentTitle(plan && `Plan of ${plan.title}`)
  const back = <a href={`/explorations/${id}`}>{plan?.title ?? 'Exploration'}</a>
  return (
    <>
      <PageHeader
        above={back} title='Plan'
        description={plan
          ? <>{plan.workspace.name} · version {plan.version} · updated <Time value={plan.updated_at} /></>
          : <Skeleton width='16rem' />}
      />
      {plan?.warning !== undefined && <Note tone='warn'>{plan.warning}</Note>}
      {error !== undefined && plan === undefined && (
        <Card><ErrorState message={error} onRetry={reload} pending={pending} /></Card>
      )}
      {plan && <PlanView plan={plan} title={plan.title} heading='none' downloads />}
      {plan === undefined && error === undefined && (
        <div class='plan-loading' role='status' aria-label='Loading the plan'><Skeleton height='100%' /></div>
      )}
    </>
  )
}

export default Plan
