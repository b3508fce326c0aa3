/** Calls a tool. What the model did wrong is a result with `isError: true`; what the program did wrong is a fault. */
import type { Call, Step } from '../request-context.js'
import { Fault, Refusal } from '../../lib/errors.js'
import { kept } from '../../lib/weak-memo.js'
import { has } from '../revisions.js'
import { isObject } from '../jsonrpc/parse.js'
import { stripInvisibleIn } from '../../lib/invisible.js'
import type { ToolResult } from '../tools/tool.js'
import type { Catalogue, Method, MethodResult } from './method.js'
import { shapedContents } from './downgrade-content.js'

export const callTool: Method = (params, call, { tools, dataNote }) => {
  const { name, arguments: input = {} } = params
  if (typeof name !== 'string') throw new Fault('invalid_params', '"params.name" is the name of a tool, as tools/list shows it.')
  const tool = tools.get(name, call.principal.credential.scope)
  // 2026-07-28 server/tools#error-handling: an unknown tool is a protocol error
  if (!tool) throw new Fault('invalid_params', `There is no tool of this name. tools/list shows: ${tools.names.join(', ')}.`)
  if (!isObject(input)) throw new Fault('invalid_params', '"params.arguments" is an object.')

  const checked = tool.check(input)
  if (!checked.ok) return Promise.resolve(framed(refused(`Invalid arguments for ${name}: ${checked.faults.join('. ')}.`), call, dataNote))
  const work = tool.run(checked.value, call)
  return Symbol.asyncIterator in work ? streamed(work, call, dataNote) : settled(work, call, dataNote)
}

type Note = Catalogue['dataNote']

const settled = async (work: Promise<ToolResult>, call: Call, note: Note): Promise<MethodResult> => {
  try {
    return framed(await work, call, note)
  } catch (error) {
    return framed(toResult(error), call, note)
  }
}

async function * streamed (
  work: AsyncGenerator<Step, ToolResult, unknown>, call: Call, note: Note
): AsyncGenerator<Step, MethodResult, unknown> {
  try {
    return framed(yield * work, call, note)
  } catch (error) {
    return framed(toResult(error), call, note)
  }
}

const toResult = (error: unknown): ToolResult => {
  if (error instanceof Refusal) return refused(error.message)
  throw error
}

const refused = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true })

const constants = kept<ToolResult, MethodResult>()

const framed = (result: ToolResult, { revision }: Call, note: Note): MethodResult => result.constant
  ? constants(result, revision, () => ({ ...frame(result, revision, note), constant: true }))
  : frame(result, revision, note)

/** Texts come from records: what nobody would see is stripped, on both channels. */
const frame = ({ structuredContent, content, constant, ...rest }: ToolResult, revision: string, note: Note): MethodResult => {
  const structured = structuredContent && has(revision, 'structuredOutput')
  return {
    result: {
      ...rest,
      content: stripInvisibleIn(shapedContents(content, revision)),
      ...(structured && { structuredContent: stripInvisibleIn(structuredContent) }),
      ...(structured && note && { _meta: note })
    }
  }
}
