/** One exploration: what is known of it, what is open, and what an agent sees of it. */
import { useLocation, useRoute } from 'preact-iso'
import type { ExplorationAnswer } from '../api/answers.js'
import { useOperation } from '../api/resource.js'
import { Badge, EmptyState, Note, Skeleton, SkeletonText } from '../components/states.js'
import { Button, LinkButton } from '../components/button.js'
import { Card, PageHeader } from '../components/layout.js'
import { Markdown } from '../components/markdown.js'
import { PlanProgress } from '../components/plan-progress.js'
import { Time } from '../components/time.js'
import { useDocumentTitle } from '../lib/document-title.js'
import { CopyLink, CopyPrompt } from '../edit/copy-for.js'
import { Editing, useOpenForm } from '../edit/editing.js'
import { countOf } from '../lib/format.js'
import { useMayWrite } from '../lib/session.js'
import { useModule } from '../lib/use-module.js'
import { sentenceCase, STATUS_TONES } from '../lib/words.js'
import { Contents } from './exploration/contents.js'
import { Packages } from './exploration/packages.js'
import { PatchButton } from './exploration/patch-button.js'
import { Questions, Recommendations } from './exploration/questions.js'
import { Unavailable } from './exploration/unavailable.js'
import './exploration/exploration.css'

const Exploration = () => {
  const { params: { id = '' } } = useRoute()
  const isHistory = useLocation().path.endsWith('/history')
  const record = useModule(() => import('./exploration/history.js'))
  const { value, error, ...loading } = useOperation('GET /explorations/:id', { params: { id } })
  useDocumentTitle(value?.title)
  const mayEdit = useMayWrite(value?.workspace.id)
  const open = useOpenForm()
  const back = <a href='/'>Explorations</a>
  if (value === undefined) {
    return (
      <>
        <PageHeader
          above={back} title={error === undefined ? <Skeleton width='18rem' height='1.5rem' /> : 'Exploration'}
          description={error === undefined && <Skeleton width='24rem' />}
        />
        <Card>
          {error === undefined
            ? <SkeletonText lines={8} />
            : <Unavailable error={error} {...loading} />}
        </Card>
      </>
    )
  }
  return (
    <>
      <PageHeader
        above={back} title={value.title} description={<Facts exploration={value} />}
        actions={(
          <>
            <CopyLink path={`/explorations/${id}`} of='this exploration' />
            <CopyPrompt exploration={value.id} />
            {mayEdit && <Button icon='edit' onClick={() => open('details')}>Edit</Button>}
            {value.plan && (
              <LinkButton variant='primary' icon='plan' href={`/explorations/${id}/plan`}>Open the plan</LinkButton>
            )}
          </>
        )}
      />
      <Editing exploration={value.id} mayEdit={mayEdit} />
      {value.cut && (
        <Note tone='warn'>
          This exploration is very long: some of its texts are cut on this page. Agents read them whole, page by
          page.
        </Note>
      )}
      {isHistory
        ? record && <record.HistoryCard {...placeOf(value)} whole />
        : (
          <div class='exploration'>
            <div class='exploration-sections'><Sections exploration={value} record={record} mayEdit={mayEdit} /></div>
            <Contents entries={contentsOf(value)} />
          </div>
          )}
    </>
  )
}

const Facts = (
  { exploration: { status, workspace, tags, artifacts, plan, url, ...own } }: { exploration: ExplorationAnswer }
) => (
  <span class='exploration-facts'>
    <Badge tone={STATUS_TONES[status]}>{sentenceCase(status)}</Badge>
    <a href={`/?workspace=${encodeURIComponent(workspace.slug)}`}>{workspace.name}</a>
    {tags.map((tag) => <a key={tag} class='tag' href={`/?tag=${encodeURIComponent(tag)}`}>{tag}</a>)}
    <span>updated <Time value={[own, plan ?? own, ...artifacts].map((one) => one.updated_at).sort().pop()} /></span>
    {url !== undefined && (/^https?:\/\//.test(url)
      ? <a href={url} target='_blank' rel='noreferrer noopener'>Original</a>
      : <code>{url}</code>)}
  </span>
)

interface ContentsEntry { id: string, label: string, count?: number }

const contentsOf = ({ summaries, questions, artifacts, recommendations, plan }: ExplorationAnswer): ContentsEntry[] => [
  ...summaries.length > 0 ? [{ id: 'summaries', label: 'Summaries' }] : [],
  ...[
    { id: 'questions', label: 'Questions', count: questions.length || undefined },
    { id: 'plan', label: 'Plan', count: plan?.total },
    { id: 'packages', label: 'Packages', count: artifacts.length || undefined },
    { id: 'recommendations', label: 'Recommendations', count: recommendations.length || undefined }
  ].filter(({ count }) => count !== undefined),
  { id: 'history', label: 'History' },
  { id: 'agent-view', label: 'What the agent sees' }
]

const placeOf = ({ id, workspace, plan }: ExplorationAnswer) =>
  ({ exploration: id, workspace: workspace.id, hasPlan: plan !== null })

type RecordModule = typeof import('./exploration/history.js')
interface SectionsProps { exploration: ExplorationAnswer, record: RecordModule | undefined, mayEdit: boolean }

const Sections = ({ exploration, record, mayEdit }: SectionsProps) => {
  const open = useOpenForm()
  const { id, summaries, questions, question_counts: counts, artifacts, recommendations, plan } = exploration
  const empty = summaries.length + questions.length + artifacts.length + recommendations.length === 0 && plan === null
  const place = placeOf(exploration)
  return (
    <>
      {record && <record.AtWork {...place} />}
      {empty && (
        <Card>
          <EmptyState icon='explore' title='This exploration is empty so far'>
            It has no summary, questions, packages or plan. They appear here once someone writes or imports them.
          </EmptyState>
        </Card>
      )}
      {summaries.length > 0 && (
        <Card id='summaries' title='Summaries'>
          <div class='exploration-texts'>
            {summaries.map(({ kind, text }, at) => (
              <section key={at}>
                <h3 class='exploration-kind'>{sentenceCase(kind)}</h3>
                <Markdown tree={text} level={4} prefix={`summary-${at}-`} />
              </section>
            ))}
          </div>
        </Card>
      )}
      {(questions.length > 0 || mayEdit) && (
        <Card
          id='questions' title='Questions'
          description={counts.open > 0
            ? `${countOf(counts.open, 'open question')}, ${counts.answered} answered`
            : questions.length > 0 ? `All ${counts.answered} are answered` : 'None so far'}
          actions={mayEdit && <Button size='s' icon='plus' onClick={() => open('ask')}>Ask a question</Button>}
          flush={questions.length > 0}
        >
          {questions.length > 0 && <Questions id={id} questions={questions} mayEdit={mayEdit} />}
        </Card>
      )}
      {plan && (
        <Card
          id='plan' title='Plan'
          description={(
            <>
              Version {plan.version}, {plan.compilation_state.replaceAll('_', ' ')}, updated{' '}
              <Time value={plan.updated_at} />
            </>
          )}
          actions={(
            <>
              {mayEdit && exploration.url !== undefined && <PatchButton exploration={id} />}
              <LinkButton href={`/explorations/${id}/plan`} size='s' icon='plan'>Open the plan</LinkButton>
            </>
          )}
        >
          <PlanProgress counts={plan} legend />
        </Card>
      )}
      {(artifacts.length > 0 || mayEdit) && <Packages id={id} artifacts={artifacts} mayEdit={mayEdit} />}
      {recommendations.length > 0 && (
        <Card id='recommendations' title='Recommendations' flush>
          <Recommendations id={id} recommendations={recommendations} mayEdit={mayEdit} />
        </Card>
      )}
      {record && <record.HistoryCard {...place} whole={false} />}
      {record && <record.Activity id={id} />}
      {record && <record.AgentView id={id} uri={exploration.resource_uri} />}
    </>
  )
}

export default Exploration
