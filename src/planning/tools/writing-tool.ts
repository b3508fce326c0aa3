/** What the tools that write have in common: one transaction of the write path, and refusals with a word. */
import { result, type ToolResult } from '../../engine/tools/tool.js'
import { WRITING_SCOPE, WRITING_TOOL } from '../agent-policy.js'
import { storable } from '../changes/by-agent.js'
import type { Change } from '../changes/change.js'
import type { Answer } from '../changes/change-store.js'
import { WriteRefusal } from '../changes/refusals.js'
import { requireExploration } from './access.js'
import type { Context, PlanningTool } from './planning-tool.js'

type Definition<Input> = Pick<PlanningTool<Input>, 'name' | 'title' | 'description' | 'input' | 'output'>

interface WritingInput { [name: string]: unknown, exploration_id: string, idempotency_key?: string }

const WRITES_MORE = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/**
 * Creates a tool that writes. `work` runs within the transaction; `describe` returns the answer as text.
 */
export function writingTool<Input extends WritingInput> (
  definition: Definition<Input>, work: (change: Change, input: Input) => Promise<Answer>,
  describe: (answer: Answer, input: Input, context: Context) => string
): PlanningTool<Input> {
  const { name: tool } = definition
  const run: PlanningTool<Input>['run'] = async (given, context) => {
    const input = storable(given)
    const exploration = await requireExploration(context, input.exploration_id)
    return await refusing(async () => {
      const answer = await requireChanges(context).byAgent({
        principal: context.principal,
        tool,
        uriScheme: context.uriScheme,
        client: clientOf(context),
        exploration,
        input: { ...input, exploration_id: exploration },
        auditWithin: (writing) => context.auditWithin(writing)
      }, (change) => work(change, input))
      return result({ ...answer }, describe(answer, { ...input, exploration_id: exploration }, context))
    })
  }
  return { ...definition, ...WRITING_TOOL, scope: WRITING_SCOPE, annotations: WRITES_MORE, run }
}

/** Returns the result of a tool; a refusal with a word becomes a result that has it. */
export const refusing = async (run: () => Promise<ToolResult>): Promise<ToolResult> => {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof WriteRefusal)) throw error
    return { ...result({ error: error.code }, error.message), isError: true }
  }
}

/** Where no agent writes, no caller has access to the tool. */
export const requireChanges = ({ planChanges }: Context): NonNullable<Context['planChanges']> => {
  if (!planChanges) throw new Error('this server has no write path')
  return planChanges
}

const MAX_CLIENT = 200

const clientOf = ({ client: { name, version } }: Context): string | undefined =>
  name === undefined ? undefined : [name, version].filter(Boolean).join('/').slice(0, MAX_CLIENT)
