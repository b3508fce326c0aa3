/** Asks the team a question, which stays open until a person answers it. */
import type { FromSchema } from 'json-schema-to-ts'
import input from '#schemas/tools/ask_question.input.json' with { type: 'json' }
import output from '#schemas/tools/ask_question.output.json' with { type: 'json' }
import { askQuestion } from '../changes/questions.js'
import { writingTool } from './writing-tool.js'

export const askQuestionTool = writingTool<FromSchema<typeof input>>({
  name: 'ask_question',
  title: 'Ask a question',
  description: 'Asks people what you must not guess. get_changes brings the answer.',
  input,
  output
}, askQuestion, ({ question_id: id }) => `Asked as question ${String(id)}. get_changes brings the answer.`)
