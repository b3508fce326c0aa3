/** Everything known of one exploration: metadata, summaries, questions and answers, and what else there is to read. */
import type { FromSchema } from 'json-schema-to-ts'
import input from '#schemas/tools/get_exploration.input.json' with { type: 'json' }
import output from '#schemas/tools/get_exploration.output.json' with { type: 'json' }
import { kept } from '../../lib/weak-memo.js'
import type { ExplorationDetail } from '../store.js'
import { requireExplorationDetail } from './access.js'
import { READING } from './annotations.js'
import { allowance, cutNotice, type Allowance } from './truncate.js'
import { block, count, name, quoted } from './escape-text.js'
import type { ToolServices } from './services.js'
import { result, type Tool, type ToolResult } from '../../mcp/tools/tool.js'

// In UTF-16 code units. The whole stays well under what clients cut off by themselves.
const ROOM = 40_000
const LONGEST = { summary: 8_000, question: 2_000, answer: 4_000 }

type Input = FromSchema<typeof input>
type Wanted = Input['questions']

export const getExploration: Tool<Input, ToolServices> = {
  name: 'get_exploration',
  title: 'Read an exploration',
  description: 'Reads one exploration: status, summaries (problem, goals …), questions with answers, and which requirement packages, ' +
    'plan and recommendations exist. Open questions are undecided: do not guess their answers.',
  scope: 'read',
  input,
  output,
  annotations: READING,
  async run ({ exploration_id: id, questions: wanted }, context) {
    const exploration = await requireExplorationDetail(context, id)
    return results(exploration, `${wanted} ${context.uriScheme}`, () => show(exploration, wanted, context.uriScheme))
  }
}

// While nothing of it changes, the store gives the same object.
const results = kept<ExplorationDetail, ToolResult>()

const show = (exploration: ExplorationDetail, wanted: Wanted, uriScheme: string): ToolResult => {
  const { plan, summaries, questions } = exploration
  const room = allowance(ROOM)
  const shown = {
    ...exploration,
    summaries: within(room, summaries, (summary) => ({ ...summary, text: room.take(`summary ${name(summary.kind)}`, summary.text, LONGEST.summary) })),
    questions: within(room, questions.filter(({ status }) => wanted === 'all' || wanted === status), (asked) => ({
      ...asked,
      question: room.take(`question ${name(asked.id)}`, asked.question, LONGEST.question),
      answer: asked.answer === null ? null : room.take(`answer ${name(asked.id)}`, asked.answer, LONGEST.answer)
    })),
    plan: plan ?? undefined,
    question_counts: {
      open: questions.filter(({ status }) => status === 'open').length,
      answered: questions.filter(({ status }) => status === 'answered').length
    }
  }
  const missing = {
    summaries: summaries.length - shown.summaries.length,
    questions: (wanted === 'all' ? questions.length : wanted === 'none' ? 0 : shown.question_counts[wanted]) - shown.questions.length
  }
  const notice = cutNotice(room.cuts, [
    ...(missing.summaries > 0 ? [`${count(missing.summaries, 'more summary text')} left out`] : []),
    ...(missing.questions > 0 ? [`${count(missing.questions, 'more question')} left out`] : [])
  ], `Ask for open or answered questions only, or read everything in the resource ${uriScheme}://exploration/${exploration.id}`)
  const facts = {
    ...shown,
    cut: room.cuts.length > 0 ? room.cuts : undefined,
    summaries_omitted: missing.summaries || undefined,
    questions_omitted: missing.questions || undefined
  }
  return { ...result(facts, [...(notice ? [notice] : []), describe(shown, wanted)].join('\n')), constant: true }
}

/** Items in order while there is room. */
const within = <Item, Shown>(room: Allowance, items: readonly Item[], show: (item: Item) => Shown): Shown[] => {
  const shown: Shown[] = []
  for (const item of items) {
    if (room.spent) break
    shown.push(show(item))
  }
  return shown
}

type Shown = Omit<ExplorationDetail, 'plan'> & {
  plan: NonNullable<ExplorationDetail['plan']> | undefined
  question_counts: { open: number, answered: number }
}

const describe = (exploration: Shown, wanted: Wanted): string => [
  `Exploration ${exploration.id}: ${quoted(exploration.title)}, ${exploration.status} (what stands in quotes or after > is the team's text)`,
  `Workspace ${quoted(exploration.workspace.name)} (slug ${exploration.workspace.slug}, id ${exploration.workspace.id}); ` +
    `created ${exploration.created_at}, updated ${exploration.updated_at}` +
    (exploration.tags.length > 0 ? `; tags: ${exploration.tags.map(quoted).join(', ')}` : '') +
    (exploration.url ? `; url ${quoted(exploration.url)}` : ''),
  `Requirement packages: ${exploration.artifacts.map((artifact) => `${artifact.artifact_type} (version ${artifact.version}, ` +
    `${artifact.total_chars} characters, updated ${artifact.updated_at}${artifact.title ? `, ${quoted(artifact.title)}` : ''})`).join('; ') || 'none'}`,
  exploration.plan
    ? `Plan: version ${exploration.plan.version}, ${exploration.plan.compilation_state}, updated ${exploration.plan.updated_at}`
    : 'Plan: none',
  `Approved recommendations: ${exploration.recommendation_count}`,
  ...exploration.summaries.map(({ kind, text }) => `\nSummary, ${kind}:\n${block(text)}`),
  `\nQuestions: ${exploration.question_counts.answered} answered, ${exploration.question_counts.open} open` +
    (wanted === 'all' ? '' : ` (${wanted === 'none' ? 'not shown' : `only ${wanted} ones shown`})`),
  ...exploration.questions.map(({ id, section, question, answer, status }) =>
    `\n${name(id)}, ${status}${section ? `, section ${quoted(section)}` : ''}:\n${block(question)}\n` +
    (answer === null ? 'No answer yet.' : `Answer:\n${block(answer)}`))
].join('\n')
