/** Reads the approved strategy and recommendations of an exploration. */
import type { FromSchema } from 'json-schema-to-ts'
import input from '#schemas/tools/get_recommendations.input.json' with { type: 'json' }
import output from '#schemas/tools/get_recommendations.output.json' with { type: 'json' }
import { weakMemo } from '../../lib/weak-memo.js'
import type { Recommendation } from '../records.js'
import { requireExploration } from './access.js'
import { textBudget, truncationNotice, withinBudget } from './truncate.js'
import { pluralize } from '../../lib/text/text.js'
import { blockquote, ESCAPE_NOTE, quoteText } from './escape-text.js'
import { READING, type PlanningTool } from './planning-tool.js'
import { result, type ToolResult } from '../../engine/tools/tool.js'

const MAX_CHARS = 40_000
const MAX_TEXT_CHARS = 10_000
const MAX_SHOWN = 200

export const getRecommendations: PlanningTool<FromSchema<typeof input>> = {
  name: 'get_recommendations',
  title: 'Read approved recommendations',
  description: 'Reads the approved strategy and recommendations of an exploration; proposals are never shown.',
  ...READING,
  input,
  output,
  async run ({ exploration_id: id, kind }, context) {
    const exploration = await requireExploration(context, id)
    const approved = await context.store.recommendations.approved(exploration, kind)
    return results(approved, `${kind ?? ''} ${context.uriScheme}`, () =>
      show(approved, exploration, kind, context.uriScheme))
  }
}

// The store returns the same object while the recommendations do not change.
const results = weakMemo<readonly Recommendation[], ToolResult>()

const show = (
  approved: readonly Recommendation[], exploration: string, kind: Recommendation['kind'] | undefined, uriScheme: string
): ToolResult => {
  const budget = textBudget(MAX_CHARS)
  const recommendations = withinBudget(budget, approved.slice(0, MAX_SHOWN), (one) =>
    omitNulls({ ...one, body: budget.take(`body of ${one.id}`, one.body, MAX_TEXT_CHARS) }))
  const omitted = approved.length - recommendations.length
  const notice = truncationNotice(budget.truncations,
    omitted > 0 ? [`${pluralize(omitted, 'more recommendation')} left out`] : [],
    `Read everything in the resource ${uriScheme}://exploration/${exploration}`)
  const structured = {
    exploration_id: exploration,
    recommendations,
    ...(budget.truncations.length > 0 && { cut: budget.truncations }),
    ...(omitted > 0 && { recommendations_omitted: omitted })
  }
  const text = [
    ...(notice ? [notice] : []),
    `Exploration ${exploration}: ` + (approved.length === 0
      ? `no approved ${kind ?? 'strategy or recommendation'}.`
      : `${recommendations.length} approved, strategies first ${ESCAPE_NOTE}`),
    ...recommendations.map(describe)
  ].join('\n')
  return { ...result(structured, text), constant: true }
}

const omitNulls = ({ approved_by: by, approved_at: at, ...rest }: Recommendation): Recommendation =>
  ({ ...rest, ...(by && { approved_by: by }), ...(at && { approved_at: at }) })

const describe = ({ id, kind, title, body, approved_by: by, approved_at: at }: Recommendation): string =>
  `\n${kind} ${quoteText(title)}, id ${id}, ` +
    `approved${by ? ` by user ${by}` : ''}${at ? ` at ${at}` : ''}:\n${blockquote(body)}`
