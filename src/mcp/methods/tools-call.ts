/** Calls a tool. What the model did wrong is a result with `isError: true`; what the program did wrong is a fault. */
import type { RequestContext, HandlerEvent } from '../request-context.js'
import { Fault, Refusal } from '../../lib/errors.js'
import { weakMemo } from '../../lib/weak-memo.js'
import { supports } from '../revisions.js'
import { isObject } from '../jsonrpc/parse.js'
import { stripInvisibleIn } from '../../lib/invisible.js'
import type { ToolResult } from '../tools/tool.js'
import type { ServerFeatures, Method, MethodResult } from './method.js'
import { downgradeContents } from './downgrade-content.js'

export const callTool: Method = (params, context, { tools, dataNote }) => {
  const { name, arguments: input = {} } = params
  if (typeof name !== 'string') throw new Fault('invalid_params', '"params.name" is the name of a tool, as tools/list shows it.')
  const tool = tools.get(name, context.principal.credential.scope)
  // 2026-07-28 server/tools#error-handling: an unknown tool is a protocol error
  if (!tool) throw new Fault('invalid_params', `There is no tool of this name. tools/list shows: ${tools.names.join(', ')}.`)
  if (!isObject(input)) throw new Fault('invalid_params', '"params.arguments" is an object.')

  const checked = tool.check(input)
  if (!checked.ok) return Promise.resolve(framed(refused(`Invalid arguments for ${name}: ${checked.faults.join('. ')}.`), context, dataNote))
  const work = tool.run(checked.value, context)
  return Symbol.asyncIterator in work ? streamed(work, context, dataNote) : settled(work, context, dataNote)
}

type Note = ServerFeatures['dataNote']

const settled = async (work: Promise<ToolResult>, context: RequestContext, note: Note): Promise<MethodResult> => {
  try {
    return framed(await work, context, note)
  } catch (error) {
    return framed(toResult(error), context, note)
  }
}

async function * streamed (
  work: AsyncGenerator<HandlerEvent, ToolResult, unknown>, context: RequestContext, note: Note
): AsyncGenerator<HandlerEvent, MethodResult, unknown> {
  try {
    return framed(yield * work, context, note)
  } catch (error) {
    return framed(toResult(error), context, note)
  }
}

const toResult = (error: unknown): ToolResult => {
  if (error instanceof Refusal) return refused(error.message)
  throw error
}

const refused = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true })

const constants = weakMemo<ToolResult, MethodResult>()

const framed = (result: ToolResult, { revision }: RequestContext, note: Note): MethodResult => result.constant
  ? constants(result, revision, () => ({ ...frame(result, revision, note), constant: true }))
  : frame(result, revision, note)

/** Texts come from records: what nobody would see is stripped, on both channels. */
const frame = (
  { structuredContent, content, constant, ...rest }: ToolResult, revision: string, note: Note
): MethodResult => {
  const structured = structuredContent && supports(revision, 'structuredOutput')
  return {
    result: {
      ...rest,
      content: stripInvisibleIn(downgradeContents(content, revision)),
      ...(structured && { structuredContent: stripInvisibleIn(structuredContent) }),
      ...(structured && note && { _meta: note })
    }
  }
}
