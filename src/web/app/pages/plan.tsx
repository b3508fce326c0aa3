/** The plan of one exploration as a picture. */
import { useRoute } from 'preact-iso'
import { useOperation } from '../api/resource.js'
import { LinkButton } from '../components/button.js'
import { Card, PageHeader } from '../components/layout.js'
import { EmptyState, Note, Skeleton } from '../components/states.js'
import { Time } from '../components/time.js'
import { Editing } from '../edit/editing.js'
import { useDocumentTitle } from '../lib/document-title.js'
import { useQueryState } from '../lib/query-state.js'
import { useMayWrite } from '../lib/session.js'
import { PLAN_FIELDS } from '../plan/plan-state.js'
import { useModule } from '../lib/use-module.js'
import { PlanView } from '../plan/plan-view.js'
import { Unavailable } from './exploration/unavailable.js'
import './plan-page.css'

const Plan = () => {
  const { params: { id = '' } } = useRoute()
  const place = useQueryState(PLAN_FIELDS)
  const { value: plan, error, ...loading } = useOperation('GET /explorations/:id/plan', { params: { id } })
  // Without a plan there is still an exploration, or there is not.
  const failed = error !== undefined && plan === undefined
  const { value: exploration, pending: checking } =
    useOperation('GET /explorations/:id', failed ? { params: { id } } : null)
  const beside = useModule(() => import('./plan/beside.js'), plan !== undefined)
  const mayEdit = useMayWrite(plan?.workspace.id)
  const hasNoPlan = exploration !== undefined && !exploration.plan
  const subject = plan ?? exploration
  useDocumentTitle(subject && `Plan of ${subject.title}`)
  return (
    <>
      <PageHeader
        above={<><a href='/'>Explorations</a> / <a href={`/explorations/${id}`}>Exploration</a> / Plan</>}
        title={subject?.title ?? (failed && !checking ? 'Plan' : <Skeleton width='18rem' height='1.25rem' />)}
        description={plan
          ? <>{plan.workspace.name} · version {plan.version} · updated <Time value={plan.updated_at} /></>
          : exploration?.workspace.name ?? (failed ? undefined : <Skeleton width='16rem' />)}
      />
      {plan?.warning !== undefined && <Note tone='warn'>{plan.warning}</Note>}
      {failed && !checking && (
        <Card>
          {hasNoPlan
            ? (
              <EmptyState
                icon='plan' title='No plan yet'
                action={<LinkButton href={`/explorations/${id}`}>Open the exploration</LinkButton>}
              >
                Items, gates and conflicts show here as soon as this exploration is planned.
              </EmptyState>
              )
            : <Unavailable error={error} {...loading} />}
        </Card>
      )}
      {plan && <Editing exploration={id} plan={plan} mayEdit={mayEdit} />}
      {plan && (
        <PlanView
          key={id} plan={plan} title={plan.title} heading='none' place={place} save={beside?.savePicture}
          actions={(subject) => beside && (
            <>
              <beside.PlanActions exploration={id} subject={subject} mayEdit={mayEdit} />
              {subject.item && <beside.ItemRecord exploration={id} workspace={plan.workspace.id} item={subject.item} />}
            </>
          )}
        />
      )}
      {plan === undefined && (!failed || checking) && (
        <div class='plan-loading' role='status' aria-label='Loading the plan'><Skeleton height='100%' /></div>
      )}
    </>
  )
}

export default Plan
