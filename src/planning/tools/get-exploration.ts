/** Reads one exploration: metadata, summaries, questions and answers, and what else exists. */
import type { FromSchema } from 'json-schema-to-ts'
import input from '#schemas/tools/get_exploration.input.json' with { type: 'json' }
import output from '#schemas/tools/get_exploration.output.json' with { type: 'json' }
import { weakMemo } from '../../lib/weak-memo.js'
import type { ArtifactSummary, ExplorationDetail } from '../store.js'
import { mayWriteIn, requireExplorationDetail } from './access.js'
import { textBudget, truncationNotice, withinBudget } from './truncate.js'
import { pluralize } from '../../lib/text/text.js'
import { blockquote, ESCAPE_NOTE, quoteId, quoteText } from './escape-text.js'
import { READING, type PlanningTool } from './planning-tool.js'
import { result, type ToolResult } from '../../engine/tools/tool.js'

// In UTF-16 code units. The total stays below the limits at which clients truncate results themselves.
const MAX_CHARS = 40_000
const MAX_FIELD_CHARS = { summary: 8_000, question: 2_000, option: 500, answer: 4_000 }

type Input = FromSchema<typeof input>
type QuestionFilter = Input['questions']

export const getExploration: PlanningTool<Input> = {
  name: 'get_exploration',
  title: 'Read an exploration',
  description: 'Reads one exploration: status, summaries (problem, goals …), questions with answers, and which ' +
    'requirement packages, plan and recommendations exist. Open questions are undecided: do not guess their answers.',
  ...READING,
  input,
  output,
  async run ({ exploration_id: id, questions: filter }, context) {
    const exploration = await requireExplorationDetail(context, id)
    const { questionFacts } = context.store.explorations
    if (questionFacts && await mayWriteIn(context, exploration.id)) {
      const facts = await questionFacts(exploration.id)
      const questions = exploration.questions.map((question) => ({ ...question, ...facts.get(question.id) }))
      return { ...show({ ...exploration, questions }, filter, context.uriScheme), constant: false }
    }
    return results(exploration, `${filter} ${context.uriScheme}`, () => show(exploration, filter, context.uriScheme))
  }
}

// The store returns the same object while the exploration does not change.
const results = weakMemo<ExplorationDetail, ToolResult>()

const show = (exploration: ExplorationDetail, filter: QuestionFilter, uriScheme: string): ToolResult => {
  const { plan, summaries, questions } = exploration
  const matching = questions.filter(({ status }) => filter === 'all' || filter === status)
  const available = textBudget(MAX_CHARS)
  const structured = {
    ...exploration,
    summaries: withinBudget(available, summaries, (summary) => ({
      ...summary, text: available.take(`summary ${quoteId(summary.kind)}`, summary.text, MAX_FIELD_CHARS.summary)
    })),
    questions: withinBudget(available, matching, (question) => ({
      ...question,
      question: available.take(`question ${quoteId(question.id)}`, question.question, MAX_FIELD_CHARS.question),
      ...question.options && {
        options: question.options.map((option) =>
          available.take(`choices of question ${quoteId(question.id)}`, option, MAX_FIELD_CHARS.option))
      },
      answer: question.answer === null
        ? null
        : available.take(`answer ${quoteId(question.id)}`, question.answer, MAX_FIELD_CHARS.answer)
    })),
    plan: plan ?? undefined,
    question_counts: {
      open: questions.filter(({ status }) => status === 'open').length,
      answered: questions.filter(({ status }) => status === 'answered').length
    }
  }
  const missing = {
    summaries: summaries.length - structured.summaries.length,
    questions: matching.length - structured.questions.length
  }
  const notice = truncationNotice(available.truncations, [
    ...(missing.summaries > 0 ? [`${pluralize(missing.summaries, 'more summary text')} left out`] : []),
    ...(missing.questions > 0 ? [`${pluralize(missing.questions, 'more question')} left out`] : [])
  ], 'Ask for open or answered questions only, or read everything in the resource ' +
    `${uriScheme}://exploration/${exploration.id}`)
  const facts = {
    ...structured,
    cut: available.truncations.length > 0 ? available.truncations : undefined,
    summaries_omitted: missing.summaries || undefined,
    questions_omitted: missing.questions || undefined
  }
  return { ...result(facts, [...(notice ? [notice] : []), describe(structured, filter)].join('\n')), constant: true }
}

type ExplorationOutput = Omit<ExplorationDetail, 'plan'> & {
  plan: NonNullable<ExplorationDetail['plan']> | undefined
  question_counts: { open: number, answered: number }
}

const describeArtifact = (artifact: ArtifactSummary): string =>
  `${artifact.artifact_type} (version ${artifact.version}, ${artifact.total_chars} characters, ` +
  `updated ${artifact.updated_at}${artifact.title ? `, ${quoteText(artifact.title)}` : ''})`

const describe = (exploration: ExplorationOutput, filter: QuestionFilter): string => [
  `Exploration ${exploration.id}: ${quoteText(exploration.title)}, ${exploration.status} ${ESCAPE_NOTE}`,
  `Workspace ${quoteText(exploration.workspace.name)} (slug ${exploration.workspace.slug}, ` +
    `id ${exploration.workspace.id}); created ${exploration.created_at}, updated ${exploration.updated_at}` +
    (exploration.tags.length > 0 ? `; tags: ${exploration.tags.map(quoteText).join(', ')}` : '') +
    (exploration.url ? `; url ${quoteText(exploration.url)}` : ''),
  `Requirement packages: ${exploration.artifacts.map(describeArtifact).join('; ') || 'none'}`,
  exploration.plan
    ? `Plan: version ${exploration.plan.version}, ${exploration.plan.compilation_state}, updated ` +
      `${exploration.plan.updated_at}`
    : 'Plan: none',
  `Approved recommendations: ${exploration.recommendation_count}`,
  ...exploration.summaries.map(({ kind, text }) => `\nSummary, ${kind}:\n${blockquote(text)}`),
  `\nQuestions: ${exploration.question_counts.answered} answered, ${exploration.question_counts.open} open` +
    (filter === 'all' ? '' : ` (${filter === 'none' ? 'not shown' : `only ${filter} ones shown`})`),
  ...exploration.questions.map(({ id, section, question, options, answer, status }) =>
    `\n${quoteId(id)}, ${status}${section ? `, section ${quoteText(section)}` : ''}:\n${blockquote(question)}\n` +
    (options ? `Choices: ${options.map(quoteText).join(', ')}\n` : '') +
    (answer === null ? 'No answer yet.' : `Answer:\n${blockquote(answer)}`))
].join('\n')
