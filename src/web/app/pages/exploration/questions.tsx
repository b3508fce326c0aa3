/** Questions of an exploration: open ones first, answered ones with their answers. */
import { useEffect, useState } from 'preact/hooks'
import { Badge } from '../../components/states.js'
import { Button } from '../../components/button.js'
import { Markdown } from '../../components/markdown.js'
import { CopyLink } from '../../edit/copy-for.js'
import { useOpenForm } from '../../edit/editing.js'
import type { ExplorationAnswer } from '../../api/answers.js'

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
      <ul class='questions'>
        {visibleQuestions.map(({ id, section, status, question, answer }, at) => (
          <li key={at} class='question' data-question={id} id={`question-${id}`}>
            <div class='question-state'>
              <Badge tone={status === 'open' ? 'warn' : 'good'}>{status === 'open' ? 'Open' : 'Answered'}</Badge>
            </div>
            <div class='question-text'>
              {section !== undefined && <p class='question-section'>{section}</p>}
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
