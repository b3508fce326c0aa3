/** Says what happened since a cursor: answers, decisions, items that became ready or changed, leases that ended. */
import type { FromSchema } from 'json-schema-to-ts'
import input from '#schemas/tools/get_changes.input.json' with { type: 'json' }
import output from '#schemas/tools/get_changes.output.json' with { type: 'json' }
import { result } from '../../engine/tools/tool.js'
import { WRITING_TOOL } from '../agent-policy.js'
import type { ChangeNote } from '../changes/records.js'
import { requireExploration, requireWritable } from './access.js'
import { ESCAPE_NOTE, quoteId, quoteText } from './escape-text.js'
import { READING, type PlanningTool } from './planning-tool.js'
import { refusing, requireChanges } from './writing-tools.js'

export const getChanges: PlanningTool<FromSchema<typeof input>> = {
  name: 'get_changes',
  title: 'See what happened',
  description: 'Answers to your questions, decisions on proposals, items that are ready or changed; oldest first.',
  ...READING,
  ...WRITING_TOOL,
  input,
  output,
  run: ({ exploration_id: id, since, limit }, context) => refusing(async () => {
    const exploration = id === undefined ? undefined : await requireExploration(context, id)
    if (exploration !== undefined) await requireWritable(context, exploration)
    const found = await requireChanges(context).since(context.principal, { exploration, since, limit })
    return result({ ...found }, describe(found))
  })
}

const describe = ({ changes, next_cursor: next }: { changes: readonly ChangeNote[], next_cursor: string }): string => [
  changes.length === 0 ? 'Nothing happened.' : `What happened ${ESCAPE_NOTE}`,
  ...changes.map(({ kind, at, exploration_id: exploration, item_id: item, text, by, ...ids }) => {
    const subject = ids.question_id ?? ids.proposal_id ?? item
    return `- ${at} ${kind}${subject === undefined ? '' : ` ${quoteId(subject)}`}` +
      `${by === undefined ? '' : ` by ${quoteText(by)}`}, exploration ${exploration}` +
      (text === undefined ? '' : `: ${quoteText(text)}`)
  }),
  `Next: since ${next}`
].join('\n')
