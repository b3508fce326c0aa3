/** One exploration as its page shows it: texts as trees, open questions first. */
import type { ItemCounts } from '../../db/planning/sql-exploration-catalog.js'
import type { Recommendation } from '../../planning/records.js'
import type { ExplorationDetail, QuestionFacts } from '../../planning/store.js'
import { markInvisible } from './mark-invisible.js'
import { markdownTree } from './markdown-tree.js'
import type { MarkdownNode } from './markdown-node.js'
import type { ResponseOf } from '../operation.js'
import type { PageOperations } from '../operations.js'
import { createWrittenBytes } from './written-bytes.js'

export interface ExplorationParts {
  exploration: ExplorationDetail
  revision: number
  /** Who asked and answered, and about which item: for who may edit. */
  questionFacts: ReadonlyMap<string, QuestionFacts> | undefined
  recommendations: readonly Recommendation[]
  /** Of the plan; undefined without one. */
  counts: ItemCounts | undefined
  approvers: ReadonlyMap<string, { id: string, email: string, name: string }>
  uriScheme: string
}

// Of one exploration and of one text in it, in UTF-16 code units.
const MAX_ALL_CHARS = 600_000
const MAX_TEXT_CHARS = 60_000

/**
 * Returns the body of the reply. Texts that are too long for a page are cut, and `cut` says so. What is not text comes
 * first, so that a long text leaves out other texts and no question.
 */
export const explorationView = (
  { exploration, revision, questionFacts: factsOf, recommendations, counts, approvers, uriScheme }: ExplorationParts
): ResponseOf<PageOperations['GET /explorations/:id']> => {
  const { id, status, tags, url, created_at: createdAt, updated_at: updatedAt } = exploration
  const { workspace, plan, questions } = exploration
  const written = createWrittenBytes()
  const withinBudget = <Facts>(all: readonly Facts[]): Facts[] => {
    const end = all.findIndex((facts) => !written.add(facts))
    return end === -1 ? [...all] : all.slice(0, end)
  }
  const open = questions.filter((question) => question.status === 'open')
  const answered = questions.filter((question) => question.status === 'answered')
  const inOrder = [...open, ...answered]
  const facts = {
    id,
    revision,
    title: markInvisible(exploration.title),
    status,
    tags,
    ...(url !== undefined && { url }),
    created_at: createdAt,
    updated_at: updatedAt,
    workspace,
    resource_uri: `${uriScheme}://exploration/${id}`,
    question_counts: { open: open.length, answered: answered.length },
    plan: plan && counts ? { ...plan, ...counts } : null
  }
  written.add(facts)
  const artifacts = withinBudget(exploration.artifacts)
  const questionFacts = withinBudget(inOrder.map(({ id, section, status, options }) => ({
    id,
    ...(section !== undefined && { section: markInvisible(section) }),
    status,
    ...(options && { options: options.map(markInvisible) }),
    ...factsOf?.get(id)
  })))
  const recommendationFacts = withinBudget(recommendations.map(
    ({ id, kind, title, status, approved_by: by, approved_at: at }) => ({
      id,
      kind,
      title: markInvisible(title),
      status,
      approved_by: approvers.get(by ?? '') ?? null,
      approved_at: at ?? null
    })))
  let availableChars = MAX_ALL_CHARS
  let cut = false
  const treeOf = (text = ''): MarkdownNode[] => {
    const markdown = markdownTree(text, written, Math.max(0, Math.min(availableChars, MAX_TEXT_CHARS)))
    availableChars -= Math.min(text.length, MAX_TEXT_CHARS)
    cut ||= markdown.cut
    return markdown.tree
  }
  const view = {
    ...facts,
    artifacts,
    summaries: exploration.summaries.map(({ kind, text }) => ({ kind, text: treeOf(text) })),
    questions: questionFacts.map((facts, at) => {
      const { question, answer } = inOrder[at] ?? {}
      return { ...facts, question: treeOf(question), answer: answer == null ? null : treeOf(answer) }
    }),
    recommendations: recommendationFacts.map((facts, at) => {
      const { title, body } = recommendations[at] ?? {}
      return { ...facts, body: body?.trim() === title ? [] : treeOf(body) }
    })
  }
  return cut || written.exceeded ? { ...view, cut: true } : view
}
