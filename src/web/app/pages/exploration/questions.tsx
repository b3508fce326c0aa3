/** Questions of an exploration: open ones first, answered ones with their answers. */
import { useState } from 'preact/hooks'
import { Badge } from '../../components/badge.js'
import { Button } from '../../components/button.js'
import { Markdown } from '../../components/markdown.js'
import type { ExplorationAnswer } from '../../api/answers.js'

// A page of a thousand questions would take a second to draw.
const SHOWN = 30

/** Draws the first questions, and all of them on demand. */
export const Questions = ({ questions }: { questions: ExplorationAnswer['questions'] }) => {
  const [all, setAll] = useState(false)
  const visibleQuestions = all ? questions : questions.slice(0, SHOWN)
  return (
    <>
      <ul class='questions'>
        {visibleQuestions.map(({ id, section, status, question, answer }, at) => (
          <li key={at} class='question' data-question={id}>
            <div class='question-state'>
              <Badge tone={status === 'open' ? 'warn' : 'good'}>{status === 'open' ? 'Open' : 'Answered'}</Badge>
            </div>
            <div class='question-text'>
              {section !== undefined && <p class='question-section'>{section}</p>}
              <div class='question-question'><Markdown tree={question} level={4} prefix={`question-${at}-`} /></div>
              {answer !== null && <Markdown tree={answer} level={4} prefix={`answer-${at}-`} />}
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
