/** What the tools that write have in common: one transaction of the write path, and refusals with a word. */
import { result } from '../../engine/tools/tool.js'
import type { Change } from '../changes/change.js'
import { storable } from '../changes/plan-changes.js'
import type { Answer } from '../changes/ports.js'
import { WriteRefusal } from '../changes/refusals.js'
import { WRITING_SCOPE, WRITING_TOOL } from '../agent-policy.js'
import { requireExploration } from './access.js'
import type { Context, PlanningTool } from './planning-tool.js'

type Definition<Input> = Pick<PlanningTool<Input>, 'name' | 'title' | 'description' | 'input' | 'output'>

interface WritingInput { [name: string]: unknown, exploration_id: string, idempotency_key?: string }

const WRITES_MORE = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/**
 * Creates a tool that writes. `work` runs within the transaction; `describe` returns the answer as text.
 */
export const writingTool = <Input extends WritingInput>(
  definition: Definition<Input>, work: (change: Change, input: Input) => Promise<Answer>,
  describe: (answer: Answer, input: Input) => string
): PlanningTool<Input> => ({
    ...definition,
    ...WRITING_TOOL,
    scope: WRITING_SCOPE,
    annotations: WRITES_MORE,
    async run (given, context) {
      const input = storable(given)
      const exploration = await requireExploration(context, input.exploration_id)
      try {
        const answer = await requireChanges(context).byAgent({
          principal: context.principal,
          tool: definition.name,
          client: clientOf(context),
          exploration,
          input: { ...input, exploration_id: exploration },
          auditWithin: (writing) => context.auditWithin(writing)
        }, (change) => work(change, input))
        return result({ ...answer }, describe(answer, input))
      } catch (error) {
        if (!(error instanceof WriteRefusal)) throw error
        return { ...result({ error: error.code }, error.message), isError: true }
      }
    }
  })

/** Where no agent writes, no caller has access to the tool. */
const requireChanges = ({ planChanges }: Context): NonNullable<Context['planChanges']> => {
  if (!planChanges) throw new Error('this server has no write path')
  return planChanges
}

const MAX_CLIENT = 200

const clientOf = ({ client: { name, version } }: Context): string | undefined =>
  name === undefined ? undefined : [name, version].filter(Boolean).join('/').slice(0, MAX_CLIENT)
