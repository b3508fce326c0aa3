/** The tools that write, and what they have in common: one transaction of the write path, and refusals with a word. */
import type { FromSchema } from 'json-schema-to-ts'
import addNoteInput from '#schemas/tools/add_note.input.json' with { type: 'json' }
import addNoteOutput from '#schemas/tools/add_note.output.json' with { type: 'json' }
import askQuestionInput from '#schemas/tools/ask_question.input.json' with { type: 'json' }
import askQuestionOutput from '#schemas/tools/ask_question.output.json' with { type: 'json' }
import claimItemInput from '#schemas/tools/claim_item.input.json' with { type: 'json' }
import claimItemOutput from '#schemas/tools/claim_item.output.json' with { type: 'json' }
import proposeChangeInput from '#schemas/tools/propose_change.input.json' with { type: 'json' }
import proposeChangeOutput from '#schemas/tools/propose_change.output.json' with { type: 'json' }
import reportProgressInput from '#schemas/tools/report_progress.input.json' with { type: 'json' }
import reportProgressOutput from '#schemas/tools/report_progress.output.json' with { type: 'json' }
import { result, type ToolResult } from '../../engine/tools/tool.js'
import { isObject } from '../../lib/json/json-object.js'
import { WRITING_TOOL } from '../agent-policy.js'
import { storable } from '../changes/by-agent.js'
import type { Change } from '../changes/change.js'
import type { Answer } from '../changes/change-store.js'
import { claim, report } from '../changes/items.js'
import { addNote } from '../changes/notes.js'
import { proposeChange } from '../changes/proposals.js'
import { askQuestion } from '../changes/questions.js'
import { WriteRefusal } from '../changes/refusals.js'
import { requireExploration } from './access.js'
import { quoteText } from './escape-text.js'
import { byText, claimedItem, itemLine } from './plan-text.js'
import type { Context, PlanningTool } from './planning-tool.js'

type Definition<Input> = Pick<PlanningTool<Input>, 'name' | 'title' | 'description' | 'input' | 'output'>

interface WritingInput { [name: string]: unknown, exploration_id: string, idempotency_key?: string }

const WRITES_MORE = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }

function writingTool<Input extends WritingInput> (
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
  return { ...definition, ...WRITING_TOOL, annotations: WRITES_MORE, run }
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

export const claimItem = writingTool<FromSchema<typeof claimItemInput>>({
  name: 'claim_item',
  title: 'Claim an item',
  description: 'Holds an item for you, or longer, and says what to know. Work on what you hold.',
  input: claimItemInput,
  output: claimItemOutput
}, claim, describeClaim)

function describeClaim ({ claimed, item, lease, briefing, reason, current }: Answer): string {
  if (!claimed) {
    if (reason === 'nothing_ready') return 'Nothing can start now.'
    return `Not claimed: ${String(reason)}.\n${itemLine(current)}`
  }
  const until = isObject(lease) ? String(lease['expires_at']) : ''
  return [`Claimed until ${until}.`, claimedItem(item), String(briefing)].join('\n')
}

export const reportProgress = writingTool<FromSchema<typeof reportProgressInput>>({
  name: 'report_progress',
  title: 'Report on an item',
  description: 'Sets the status of an item that you hold. done needs evidence; where a person decides, it is proposed.',
  input: reportProgressInput,
  output: reportProgressOutput
}, report, describeReport)

function describeReport (
  { written, proposed, proposal_id: proposal, item, plan_version: version, ...rest }: Answer,
  { exploration_id: exploration, item_id: id, status }: FromSchema<typeof reportProgressInput>, { placeOf }: Context
): string {
  if (proposed) return `Finished: it waits for a person, as proposal ${String(proposal)}.`
  if (written) {
    const place = placeOf?.(exploration, id, status)
    return `Written: the plan is version ${String(version)}.\n${itemLine(item)}` +
      (place === undefined ? '' : `\nIts file says so too, do not edit it there: ${quoteText(place)}`)
  }
  return `Not written: ${rest['reason'] === 'held' ? 'another one holds it' : 'it has changed since'}` +
    `${byText(rest['changed_by'])}, ${String(rest['changed_at'] ?? '')}.\n${itemLine(rest['current'])}`
}

export const addNoteTool = writingTool<FromSchema<typeof addNoteInput>>({
  name: 'add_note',
  title: 'Add a note',
  description: 'Keeps a note about an item or the exploration.',
  input: addNoteInput,
  output: addNoteOutput
}, addNote, ({ note_id: id }) => `Kept as note ${String(id)}.`)

export const askQuestionTool = writingTool<FromSchema<typeof askQuestionInput>>({
  name: 'ask_question',
  title: 'Ask a question',
  description: 'Asks people what you must not guess. get_changes brings the answer.',
  input: askQuestionInput,
  output: askQuestionOutput
}, askQuestion, ({ question_id: id }) => `Asked as question ${String(id)}. get_changes brings the answer.`)

export const proposeChangeTool = writingTool<FromSchema<typeof proposeChangeInput>>({
  name: 'propose_change',
  title: 'Propose a change',
  description: 'Proposes changes, for a person to decide. find stands once in the package.',
  input: proposeChangeInput,
  output: proposeChangeOutput
}, proposeChange, ({ proposal_id: id }) => `Proposed as ${String(id)}: a person decides. get_changes tells.`)
