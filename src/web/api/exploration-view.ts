/** One exploration as its page shows it: texts as trees, open questions first. */
import type { ItemCounts } from '../../db/sql-exploration-catalog.js'
import type { Recommendation } from '../../planning/records.js'
import type { ExplorationDetail } from '../../planning/store.js'
import { markInvisible } from './mark-invisible.js'
import { markdownTree } from './markdown-tree.js'
import type { MarkdownNode } from './markdown-node.js'
import type { ResponseOf } from './operation.js'
import type { Operations } from './operations.js'

export interface ExplorationParts {
  recommendations: readonly Recommendation[]
  /** Of the plan; undefined without one. */
  counts: ItemCounts | undefined
  approvers: ReadonlyMap<string, { id: string, email: string, name: string }>
  uriScheme: string
}

// Of one exploration and of one text in it, in UTF-16 code units.
const MAX_ALL_CHARS = 600_000
const MAX_TEXT_CHARS = 60_000

/** Returns the body of the reply. Texts that are too long for a page are cut, and `cut` says so. */
export const explorationView = (
  exploration: ExplorationDetail, { recommendations, counts, approvers, uriScheme }: ExplorationParts
): ResponseOf<Operations['GET /explorations/:id']> => {
  const { id, status, tags, url, created_at: createdAt, updated_at: updatedAt } = exploration
  const { workspace, artifacts, plan, questions } = exploration
  const trees = treesWithin(MAX_ALL_CHARS)
  const open = questions.filter((question) => question.status === 'open')
  const answeredQuestions = questions.filter((question) => question.status === 'answered')
  const view = {
    id,
    title: markInvisible(exploration.title),
    status,
    tags,
    ...(url !== undefined && { url }),
    created_at: createdAt,
    updated_at: updatedAt,
    workspace,
    resource_uri: `${uriScheme}://exploration/${id}`,
    summaries: exploration.summaries.map(({ kind, text }) => ({ kind, text: trees.of(text) })),
    questions: [...open, ...answeredQuestions].map(({ id, section, question, answer, status }) => ({
      id,
      ...(section !== undefined && { section: markInvisible(section) }),
      status,
      question: trees.of(question),
      answer: answer == null ? null : trees.of(answer)
    })),
    question_counts: { open: open.length, answered: answeredQuestions.length },
    artifacts,
    recommendations: recommendations.map(({ id, kind, title, body, approved_by: by, approved_at: at }) => ({
      id,
      kind,
      title: markInvisible(title),
      body: trees.of(body),
      approved_by: approvers.get(by ?? '') ?? null,
      approved_at: at ?? null
    })),
    plan: plan && counts ? { ...plan, ...counts } : null
  }
  return trees.cut() ? { ...view, cut: true } : view
}

/** Makes trees until the texts are longer than `chars` together; those after that are empty. */
const treesWithin = (chars: number) => {
  let available = chars
  let cut = false
  return {
    of (text: string): MarkdownNode[] {
      const markdown = markdownTree(text, Math.max(0, Math.min(available, MAX_TEXT_CHARS)))
      available -= Math.min(text.length, MAX_TEXT_CHARS)
      cut ||= markdown.cut
      return markdown.tree
    },
    cut: () => cut
  }
}
