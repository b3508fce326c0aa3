/** Questions of an exploration, open ones first, and its recommendations, strategies first. */
import { useEffect, useState } from 'preact/hooks'
import type { ExplorationAnswer } from '../../api/answers.js'
import { Badge } from '../../components/states.js'
import { Button } from '../../components/button.js'
import { Markdown } from '../../components/markdown.js'
import { Time } from '../../components/time.js'
import { CopyLink } from '../../edit/copy-for.js'
import { useOpenForm } from '../../edit/editing.js'
import { useChange } from '../../edit/use-change.js'
import { sentenceCase } from '../../lib/words.js'

// A page of a thousand questions would take a second to draw.
const SHOWN = 30

interface QuestionsProps { id: string, questions: ExplorationAnswer['questions'], mayEdit: boolean }

/** Draws the first questions, and all of them on demand, or when the address names one of the others. */
export const Questions = ({ id: exploration, questions, mayEdit }: QuestionsProps) => {
  const open = useOpenForm()
  const [linked] = useState(() => decodeURIComponent(location.hash.slice(1)))
  const [all, setAll] = useState(questions.slice(SHOWN).some(({ id }) => `question-${id}` === linked))
  useEffect(() => document.getElementById(linked)?.scrollIntoView(), [])
  const visibleQuestions = all ? questions : questions.slice(0, SHOWN)
  return (
    <>
      <ul class='rows'>
        {visibleQuestions.map(({ id, section, status, question, answer }, at) => (
          <li key={at} class='question' data-question={id} id={`question-${id}`}>
            <div class='question-state'>
              <Badge tone={status === 'open' ? 'warn' : 'good'}>{status === 'open' ? 'Open' : 'Answered'}</Badge>
            </div>
            <div class='question-text'>
              {section !== undefined && <p class='hint'>{section}</p>}
              <div class='question-question'><Markdown tree={question} level={4} prefix={`question-${at}-`} /></div>
              {answer !== null && <Markdown tree={answer} level={4} prefix={`answer-${at}-`} />}
              <div class='form-actions'>
                {mayEdit && (
                  <Button size='s' onClick={() => open('answer', id)}>
                    {status === 'open' ? 'Answer' : 'Change the answer'}
                  </Button>
                )}
                <CopyLink path={`/explorations/${exploration}#question-${encodeURIComponent(id)}`} of='this question' />
              </div>
            </div>
          </li>
        ))}
      </ul>
      {visibleQuestions.length < questions.length && (
        <div class='exploration-more'>
          <Button size='s' onClick={() => setAll(true)}>Show all {questions.length} questions</Button>
        </div>
      )}
    </>
  )
}

interface RecommendationsProps {
  id: string
  recommendations: ExplorationAnswer['recommendations']
  mayEdit: boolean
}

/** Who may write sees those too that wait for a decision. */
export const Recommendations = ({ id: exploration, recommendations, mayEdit }: RecommendationsProps) => {
  const { run, pending } = useChange(exploration)
  return (
    <ul class='rows'>
      {recommendations.map(({ id, kind, status, title, body, approved_by: by, approved_at: at }) => (
        <li key={id} class='recommendation'>
          <div class='recommendation-heading'>
            <h3>{title}</h3>
            {kind === 'strategy' && <Badge tone='accent'>Strategy</Badge>}
            {status !== 'approved' && <Badge tone='warn'>{sentenceCase(status)}</Badge>}
            {mayEdit && ['approved', 'rejected'].filter((decision) => decision !== status).map((decision) => (
              <Button
                key={decision} size='s' pending={pending}
                onClick={() => run({ kind: 'decide_recommendation', recommendation_id: id, status: decision })}
              >
                {decision === 'approved' ? 'Approve' : 'Reject'}
              </Button>
            ))}
          </div>
          {(by !== null || at !== null) && (
            <p class='hint'>
              Approved{by !== null && <> by <span title={by.email}>{by.name}</span></>}
              {at !== null && <> <Time value={at} /></>}
            </p>
          )}
          <Markdown tree={body} level={4} prefix={`recommendation-${id}-`} />
        </li>
      ))}
    </ul>
  )
}
